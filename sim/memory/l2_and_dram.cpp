#include "sim/memory/l2_and_dram.h"

#include <algorithm>

#include "isa/base/host_prefetch.h"

namespace heddle::sim {

namespace {

constexpr std::size_t kFetchAhead = 16;    // of the accesses to come, which another thread has written;
constexpr std::size_t kPrefetchAhead = 8;  // of what they ask for,
constexpr std::size_t kPrefetchAgain = 4;

/// When one who is served from `start` on has the data of an entry, some of which come at `filled_at`. Who
/// reads a line waits for all of its sectors that are on their way, whoever asked for them.
Cycle data_ready(const L2Visit::Entry& entry, Cycle start, Cycle filled_at) {
  if (entry.line == nullptr) return start;
  if (entry.is_new) entry.line->filled_at = 0;
  entry.line->filled_at = std::max(entry.line->filled_at, filled_at);
  return std::max(start, entry.line->filled_at);
}

}  // namespace

L2AndDram::L2AndDram(const GpuSpec& spec, std::size_t pieces)
    : l2_(spec.l2),
      sector_bytes_(spec.l1.sector_bytes),
      sectors_per_line_(spec.l2.line_bytes / spec.l1.sector_bytes),
      line_bytes_(spec.l2.line_bytes),
      slices_(spec),
      dram_timing_(spec),
      channels_(spec.dram.channels, DramChannel(dram_timing_)),
      pieces_(std::clamp<std::size_t>(pieces, 1, slices_.pair_count())),
      lines_of_page_(std::max<std::uint64_t>(1, spec.cold.page_bytes / spec.l2.line_bytes)) {
  prefetcher_ = make_prefetcher(spec.l2.prefetcher, "l2.prefetcher", {sectors_per_line_, spec.l2.prefetch_degree});
  if (prefetcher_ != nullptr) {
    slices_.watch_prefetches();
    prefetch_uses_.resize(kMostAtOnce + kMaxWarpSize);
  }
  // An instruction has spent front_latency before its request leaves, and the request request_latency before
  // it arrives; the rest of the latency from issue to use lies behind the slice.
  const Cycle before = Cycle{spec.sm.mio.front_latency} + spec.l2.request_latency;
  hit_latency_ = std::max<Cycle>(spec.l2.latency, before) - before;
  miss_latency_ = std::max<Cycle>(spec.dram.latency, before) - before;
  const std::uint32_t nearest = spec.l2.enabled ? spec.l2.latency : spec.dram.latency;
  const std::uint32_t atomic = spec.sm.timing(ir::TimingClass::AtomicGlobal).latency;
  atomic_latency_ = std::max(atomic, nearest) - nearest;
  // Neighbours go together: what slices hold of their ports lies in the same lines of the host's cache.
  for (std::size_t pair = 0; pair < slices_.pair_count(); ++pair) {
    piece_of_.push_back(static_cast<std::uint32_t>(pair * pieces_.size() / slices_.pair_count()));
  }
}

void L2AndDram::add(const MemoryRequest& request) {
  const AddressMap& map = slices_.map();
  const Cycle arrival = request.time + l2_.request_latency;
  std::uint64_t number = line_bytes_.quotient(request.line);
  std::uint64_t left = std::uint64_t{request.sectors}
                       << (request.line - number * l2_.line_bytes) / sector_bytes_;
  for (; left != 0; left >>= sectors_per_line_, ++number) {  // once, unless L1's lines are longer than L2's
    const auto sectors = static_cast<std::uint32_t>(left & ((std::uint64_t{1} << sectors_per_line_) - 1));
    if (sectors == 0) continue;
    const AddressMap::Home home = map.home_of(number);
    pieces_[piece_of_[slices_.pair_of(home.slice)]].push_back(static_cast<std::uint32_t>(accesses_.size()));
    Access& access = accesses_.emplace_back();
    const bool is_far = map.is_far(home.slice, request.sm);
    // Addresses of a longer line are taken to be spread evenly.
    const auto addresses = static_cast<std::uint32_t>(
        divide_up(std::uint64_t{request.atomic_addresses} * bit_count(sectors), bit_count(request.sectors)));
    access.asked = {number,           home,  arrival, sectors, request.atomic_lanes, addresses,
                    request.is_store, is_far};
    access.sectors = static_cast<std::uint16_t>(bit_count(request.sectors));
    access.tag = request.tag;
    access.sm = request.sm;
    access.translation = request.translation;
    access.grid = request.grid;
    access.is_prefetch = request.is_prefetch;
    access.warp = request.warp;
    access.pc = request.pc;
  }
  accesses_.back().is_last = true;
}

void L2AndDram::visit_slices(std::size_t piece) {
  const std::vector<std::uint32_t>& mine = pieces_[piece];
  const auto host_prefetch = [&](std::size_t place, PrefetchStep step) {
    if (place < mine.size()) slices_.host_prefetch(accesses_[mine[place]].asked, step);
  };
  for (std::size_t i = 0; i < mine.size(); ++i) {
    host_prefetch(i + kPrefetchAhead, PrefetchStep::Object);
    host_prefetch(i + kPrefetchAgain, PrefetchStep::Pointees);
    if (i + kFetchAhead < mine.size()) prefetch_bytes(&accesses_[mine[i + kFetchAhead]], sizeof(Access));
    Access& access = accesses_[mine[i]];
    access.visit =
        slices_.visit(access.asked, prefetch_uses_.empty() ? nullptr : &prefetch_uses_[mine[i]]);
  }
}

/// Asks DRAM for what is missing, and gives it what was displaced. Returns when the SM has what it asked for.
Cycle L2AndDram::finish(const Access& access, Share& share) {
  const L2Access& asked = access.asked;
  const L2Visit& visit = access.visit;
  share.count(access.pc, [&](MemoryCounters& counters) { add_to(counters, asked, visit); });
  Cycle update = 0;
  if (asked.atomic_lanes != 0) {
    update = (asked.atomic_lanes - 1) * Cycle{l2_.atomic_interval} + atomic_latency_;
    if (asked.is_far) update += l2_.far_latency;
  }
  if (!l2_.enabled) return pass_l2(visit, share) + update;
  write_dram(visit.copy.displaced, visit.start);
  write_dram(visit.home.displaced, visit.home_start);
  Cycle filled_at = 0;
  if (visit.missing.sectors != 0) {
    // The slice has the data when the SM's copy is hit_latency_ away.
    filled_at = read_dram(visit.missing, visit.home_start) + miss_latency_ - hit_latency_;
  }
  Cycle ready = std::max(data_ready(visit.home, visit.home_start, filled_at), visit.update_start);
  if (visit.copy.line != nullptr) {
    const bool is_made = visit.home.line != nullptr;
    ready = data_ready(visit.copy, visit.start, is_made ? ready + l2_.far_latency : 0);
  }
  return ready + hit_latency_ + update;
}

/// When the SM may send again: a round trip before the store has been taken, and what it displaced, or
/// without L2 itself; 0 for what holds nothing up. A channel collects a batch of writes while it sends
/// another.
Cycle L2AndDram::held_until(const L2Access& asked, const L2Visit& visit) const {
  if (!asked.is_store || asked.atomic_lanes != 0) return 0;
  Cycle taken = std::max(visit.start, visit.home_start);
  for (const DramAccess& out : {visit.copy.displaced, visit.home.displaced}) {
    if (out.sectors == 0) continue;
    const Tick free = channels_[out.channel].free_at();
    taken = std::max<Cycle>(taken, (free - std::min(free, dram_timing_.batch_time())) / kTicksPerCycle);
  }
  return taken - std::min(taken, shortest_round_trip());
}

/// Without L2. What an update has read, it writes.
Cycle L2AndDram::pass_l2(const L2Visit& visit, Share& share) {
  const Cycle begin = visit.missing.sectors == 0 ? visit.start : read_dram(visit.missing, visit.start);
  write_dram(visit.home.displaced, visit.start);
  for (const DramAccess& access : {visit.missing, visit.home.displaced}) {
    if (access.sectors != 0)
      share.ports_free = std::max(share.ports_free, channels_[access.channel].free_at());
  }
  return std::max(begin, visit.update_start) + miss_latency_;
}

/// Without L2, what came before has been sent to the channels: a fence takes their way.
MemoryReply L2AndDram::answer_fence(const MemoryRequest& request) const {
  const Tick free = ports_free_at(request.time + l2_.request_latency);
  return {std::max(divide_up(free, kTicksPerCycle), updates_done_at_) + way_back(), request.tag, 0};
}

Tick L2AndDram::ports_free_at(Cycle arrival) const {
  Tick free = slices_.free_at(arrival);
  if (!l2_.enabled) {
    for (const DramChannel& channel : channels_) free = std::max(free, channel.free_at());
  }
  return free;
}

void L2AndDram::rest() { channels_.assign(channels_.size(), DramChannel(dram_timing_)); }

void L2AndDram::add_grid(std::size_t grid, bool by_instruction) {
  if (shares_.size() <= grid) shares_.resize(grid + 1);
  shares_[grid] = {};
  shares_[grid].is_by_instruction = by_instruction;
  slices_.forget_prefetches_of(static_cast<std::uint8_t>(grid));
}

Cycle L2AndDram::done_at(std::size_t grid) const {
  const Share& share = shares_[grid];
  return std::max({divide_up(share.ports_free, kTicksPerCycle), share.loads_done_at, share.updates_done_at});
}

std::uint64_t L2AndDram::dram_bytes_after(Cycle end) const {
  std::uint64_t sectors = 0;
  for (const DramChannel& channel : channels_) sectors += channel.sectors_after(dram_timing_, to_ticks(end));
  return sectors * sector_bytes_;
}

/// Notes when a grid's access is done. An update that nobody waits for is done when L2 has it: the way back to the SM
/// does not count, nor, as for a store, does the latency of the other partition.
void L2AndDram::note_done(const L2Access& asked, Cycle ready, Share& share) {
  if (asked.is_store) {
    const Cycle ways = way_back() + atomic_latency_ + (asked.is_far ? l2_.far_latency : 0);
    share.updates_done_at = std::max(share.updates_done_at, ready - ways);
    updates_done_at_ = std::max(updates_done_at_, ready - ways);
  } else {
    share.loads_done_at = std::max(share.loads_done_at, ready);
  }
}

/// When the channel begins to send.
Cycle L2AndDram::read_dram(const DramAccess& access, Cycle arrival) {
  DramChannel& channel = channels_[access.channel];
  return channel.read(dram_timing_, access.row, to_ticks(arrival), access.sectors) / kTicksPerCycle;
}

void L2AndDram::write_dram(const DramAccess& access, Cycle arrival) {
  if (access.sectors == 0) return;
  channels_[access.channel].write(dram_timing_, access.row, to_ticks(arrival), access.sectors);
}

void L2AndDram::add_to(MemoryCounters& counters, const L2Access& asked, const L2Visit& visit) const {
  const std::uint64_t written = std::uint64_t{visit.copy.displaced.sectors} + visit.home.displaced.sectors;
  counters.dram_read_bytes += std::uint64_t{visit.missing.sectors} * sector_bytes_;
  counters.dram_write_bytes += written * sector_bytes_;
  const unsigned sectors = bit_count(asked.sectors);
  if (asked.atomic_lanes != 0) {
    counters.l2_atomic_sectors += sectors;
    counters.l2_atomic_hit_sectors += visit.hit_sectors;
  } else if (asked.is_store) {
    counters.l2_store_sectors += sectors;
    counters.l2_far_store_sectors += visit.far_sectors;
  } else {
    counters.l2_load_sectors += sectors;
    counters.l2_far_load_sectors += visit.far_sectors;
    counters.l2_load_hit_sectors += visit.hit_sectors;
  }
}

}  // namespace heddle::sim
