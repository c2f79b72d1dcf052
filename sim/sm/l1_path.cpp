#include "sim/sm/l1_path.h"

#include <algorithm>
#include <utility>

#include "sim/sm/l1_watch.h"
#include "sim/sm/lsu_times.h"

namespace heddle::sim {

L1Path::L1Path(const GpuSpec& spec, RequestPort& port, PendingLoads& loads, LsuCounters& counters)
    : spec_(spec),
      port_(port),
      loads_(loads),
      counters_(counters),
      l1_(spec.l1, 0),
      reply_sectors_per_cycle_(spec.l2.reply_sectors_per_cycle),
      prefetcher_(make_prefetcher(spec.l1.prefetcher, "l1.prefetcher",
                                  {spec.l1.line_bytes / spec.l1.sector_bytes, spec.l1.prefetch_degree})) {
  if (prefetcher_ != nullptr) l1_.watch_prefetches();
}

void L1Path::resize(std::uint64_t bytes) {
  l1_.resize(bytes);
  if (watch_ != nullptr) watch_->emptied();
}

void L1Path::invalidate() {
  l1_.invalidate();
  if (watch_ != nullptr) watch_->emptied();
}

// -- loads --------------------------------------------------------------------------------------------------

std::uint32_t L1Path::write_time_of(const MioEntry& entry) const {
  return entry.owner.op->kind == stream::OpKind::Copy ? write_time(spec_, entry.copy_passes) : 0;
}

/// Looks a line of the load that is served up in L1.
L1Cache::Lookup L1Path::look_up(const ResultOwner& owner, const LineAccess& access) {
  const L1Cache::Lookup lookup = l1_.load(access, being_served_, counters_.of(owner.grid));
  if (lookup.refused) return lookup;
  if (PcCounters* of_pc = counters_.find(owner)) {
    of_pc->memory.l1_hit_sectors += bit_count(access.sectors & ~lookup.missing_sectors);
    of_pc->memory.l1_merged_sectors += bit_count(lookup.missing_sectors & ~lookup.request_sectors);
    of_pc->memory.l1_miss_sectors += bit_count(lookup.request_sectors);
  }
  return lookup;
}

// Each line is looked up in its turn; data come out of the banks pass by pass. A refused line is tried again
// with the ones before it done.
bool L1Path::load(const MioEntry& entry, Cycle now) {
  if (being_served_ == kNone) {
    being_served_ = loads_.open(entry.owner, entry.issued, entry.lines.size() != 0, write_time_of(entry));
    next_line_ = 0;
  }
  for (; next_line_ < entry.lines.size(); ++next_line_) {
    const LineAccess& access = entry.lines[next_line_];
    const L1Cache::Lookup lookup = look_up(entry.owner, access);
    if (lookup.refused) return false;
    loads_.add_waits(being_served_, lookup.waits);
    if (lookup.request_sectors != 0) {
      port_.send(now + access.turn, entry.owner, lookup.request_entry,
                 {.line = access.line, .sectors = lookup.request_sectors}, false);
    }
    if (watch_ != nullptr) [[unlikely]]
      tell_load(entry, bit_count(lookup.missing_sectors), now);
    if (prefetcher_ != nullptr) [[unlikely]]
      prefetch(entry, bit_count(lookup.missing_sectors), now);
  }
  loads_.close(std::exchange(being_served_, kNone), now + look_up_time(spec_) + entry.passes - 1);
  return true;
}

void L1Path::load_past_l1(const MioEntry& entry, Cycle now) {
  const LoadId id = loads_.open(entry.owner, entry.issued, entry.lines.size() != 0, write_time_of(entry));
  const std::uint64_t sectors = sector_count(entry.lines);
  counters_.count(entry.owner, [sectors](MemoryCounters& counters) { counters.l1_miss_sectors += sectors; });
  for (unsigned i = 0; i < entry.lines.size(); ++i) {
    port_.send(now + entry.lines[i].turn, entry.owner, kPastL1 | id, entry.lines[i], false);
  }
  loads_.add_waits(id, entry.lines.size());
  loads_.close(id, now + look_up_time(spec_));
}

void L1Path::tell_load(const MioEntry& entry, std::uint32_t missing, Cycle now) {
  const LineAccess& access = entry.lines[next_line_];
  watch_->loaded({.now = now,
                  .warp = entry.owner.slot,
                  .pc = entry.owner.op->pc,
                  .line = access.line / spec_.l1.line_bytes,
                  .sectors = bit_count(access.sectors),
                  .missing = missing});
}

/// Asks the prefetcher what it wants now that a line of a load was looked up. What it asks for leaves behind
/// the load's own request. It stays in the page, whose address is known.
[[gnu::noinline]] void L1Path::prefetch(const MioEntry& entry, std::uint32_t missing, Cycle now) {
  const LineAccess& access = entry.lines[next_line_];
  const ResultOwner& owner = entry.owner;
  const Addr page = access.line / spec_.cold.page_bytes;
  wanted_.clear();
  prefetcher_->access({.now = now,
                       .line = access.line / spec_.l1.line_bytes,
                       .sectors = access.sectors,
                       .missing = missing,
                       .pc = owner.op->pc,
                       .warp = owner.slot,
                       .sm = port_.sm(),
                       .piece = static_cast<std::uint8_t>(next_line_)},
                      wanted_);
  for (const PrefetchedLine& each : wanted_) {
    const Addr line = each.line * spec_.l1.line_bytes;
    if (line / spec_.cold.page_bytes != page) continue;
    const L1Cache::Lookup lookup =
        l1_.prefetch(each.line, each.sectors, being_served_, {owner.op->pc, owner.grid});
    if (lookup.request_sectors == 0) continue;
    port_.send(now + access.turn, owner, lookup.request_entry,
               {.line = line, .sectors = lookup.request_sectors}, false, true);
  }
  count_prefetches();
}

/// Sectors count for the load that made the prefetcher ask.
void L1Path::count_prefetches() {
  for (const PrefetchEvent& event : l1_.prefetch_events()) {
    counters_.count(event.origin.grid, event.origin.pc, [&event](MemoryCounters& counters) {
      counters.l1_prefetch_sectors += event.issued;
      counters.l1_prefetch_useful_sectors += event.useful;
      counters.l1_prefetch_late_sectors += event.late;
      counters.l1_prefetch_unused_sectors += event.issued;
      counters.l1_prefetch_unused_sectors -= event.useful + event.late;
    });
  }
  l1_.prefetch_events().clear();
}

// -- stores, atomics, fences --------------------------------------------------------------------------------

void L1Path::store(const MioEntry& entry, Cycle now) {
  for (unsigned i = 0; i < entry.lines.size(); ++i) {
    if (entry.leaves_sectors && entry.left[i] != 0) l1_.store(entry.lines[i].line, entry.left[i]);
    port_.send(now + entry.lines[i].turn, entry.owner, 0, entry.lines[i], true);
  }
}

/// An atomic that writes no register is not answered. One without lanes is done as soon as L1 could have been
/// asked.
void L1Path::atomic(const MioEntry& entry, Cycle now) {
  const bool is_answered = entry.owner.op->has_result();
  const LoadId id = is_answered ? loads_.open(entry.owner, entry.issued, entry.lines.size() != 0) : 0;
  for (unsigned i = 0; i < entry.lines.size(); ++i) {
    l1_.drop(entry.lines[i]);
    port_.send(now + entry.lines[i].turn, entry.owner, kPastL1 | id, entry.lines[i], !is_answered);
  }
  if (!is_answered) return;
  loads_.add_waits(id, entry.lines.size());
  loads_.close(id, now + look_up_time(spec_));
}

void L1Path::fence(const MioEntry& entry, Cycle now) {
  const LoadId id = loads_.open(entry.owner, entry.issued, false);
  const Cycle latency = spec_.sm.timing(entry.owner.op->timing_class).latency;
  port_.send_fence(now, entry.owner.grid, kPastL1 | id);
  loads_.add_waits(id, 1);
  loads_.close(id, now + latency - std::min<Cycle>(latency, spec_.sm.mio.front_latency));
}

// -- replies ------------------------------------------------------------------------------------------------

bool L1Path::reply(const MemoryReply& reply, Cycle now) {
  const Cycle first_sector = std::max(now * reply_sectors_per_cycle_.value(), reply_port_free_);
  const Cycle arrived = reply_sectors_per_cycle_.quotient(first_sector);
  reply_port_free_ = first_sector + reply.sectors;
  if ((reply.tag & kPastL1) != 0) {
    loads_.arrive(reply.tag & ~kPastL1, reply.level, arrived);
    return false;
  }
  const std::vector<LoadId>& waiters = watch_ == nullptr ? l1_.fill(reply.tag) : fill(reply.tag);
  for (const LoadId id : waiters) loads_.arrive(id, reply.level, arrived);
  return true;
}

/// Fills L1, and tells for whom.
const std::vector<LoadId>& L1Path::fill(std::uint32_t entry) {
  const std::uint16_t slot = loads_[l1_.first_waiter(entry)].owner.slot;
  const std::uint64_t line = l1_.line_of(entry);
  const std::vector<LoadId>& waiters = l1_.fill(entry);
  if (l1_.filled_place() != L1Cache::kNowhere) watch_->filled(l1_.filled_place(), line, slot);
  return waiters;
}

void L1Path::host_prefetch(const MemoryReply& reply, PrefetchStep step) const {
  if ((reply.tag & kPastL1) == 0) l1_.host_prefetch_fill(reply.tag, step);
  if (step == PrefetchStep::Pointees) prefetch_bytes(&loads_[load_of(reply)], sizeof(PendingLoad));
}

}  // namespace heddle::sim
