// The load/store unit's asynchronous copies and fences.
#include <algorithm>

#include "isa/base/lane_addresses.h"
#include "sim/memory/bank_conflicts.h"
#include "sim/sm/load_store_unit.h"

namespace heddle::sim {

/// A copy counts as a load from global memory and as a store to shared memory.
void LoadStoreUnit::describe_copy(Entry& entry, const stream::WarpStep& step) {
  const std::uint32_t bytes = entry.owner.op->bytes_per_lane;
  describe_lines(entry, step);
  const BankPasses passes =
      bank_passes(lane_access(step.shared_addresses, step.executed, bytes), spec_.sm.shared);
  entry.copy_passes = static_cast<std::uint16_t>(passes.all);
  MemoryCounters& counters = counters_of(entry.owner);
  ++counters.global_load_requests;
  const std::uint64_t sectors = sector_count(entry.lines);
  counters.global_load_sectors += sectors;
  counters.global_load_excess_sectors += excess_sectors(step, *entry.owner.op, sectors);
  ++counters.shared_store_requests;
  counters.shared_store_passes += passes.all;
  counters.shared_store_bank_conflicts += passes.for_conflicts;
}

std::uint32_t LoadStoreUnit::write_time(const Entry& entry) const {
  return entry.owner.op->kind == stream::OpKind::Copy ? write_time(entry.copy_passes) : 0;
}

/// What writing shared memory adds to the time of a load: what the class's latency has above that of L1, and
/// the passes over the banks after the first. They do not keep the shared stage: a choice, nothing is
/// published.
std::uint32_t LoadStoreUnit::write_time(std::uint32_t passes) const {
  const std::uint32_t latency = spec_.sm.timing(ir::TimingClass::CopyToShared).latency;
  return std::max(latency, spec_.l1.latency) - spec_.l1.latency + passes - 1;
}

/// All its sectors are asked of L2.
void LoadStoreUnit::serve_past_l1(const Entry& entry, Cycle now) {
  const LoadId id = take_load(entry.owner);
  for (unsigned i = 0; i < entry.lines.size(); ++i) {
    counters_of(entry.owner).l1_miss_sectors += bit_count(entry.lines[i].sectors);
    request(now + entry.lines[i].turn, entry.owner, kPastL1 | id, entry.lines[i], false);
  }
  loads_[id].waits = entry.lines.size();
  loads_[id].write_time = write_time(entry);
  loads_[id].ready_at = now + look_up();
  if (loads_[id].waits == 0) finish_load(id);
}

// The lines of the pieces, each once if pieces beside each other share it, leave in the order in which they
// are named, a line a cycle, unless stores are held: a choice, nothing is published. Loads are done as an
// asynchronous copy of one pass is; stores, and copies of which no piece lies in bounds, when L2 has served
// what they sent.
void LoadStoreUnit::start_bulk(const ResultOwner& owner, std::span<const Addr> pieces,
                               std::uint32_t piece_bytes, Cycle now) {
  const bool is_store = owner.op->kind == stream::OpKind::BulkStore;
  const LoadId id = take_load(owner);
  const std::size_t first = bulk_.size();
  const MemoryRequest request{.time = now + spec_.sm.mio.front_latency,
                              .sm = sm_,
                              .tag = kPastL1 | id,
                              .is_store = is_store,
                              .grid = owner.grid,
                              .warp = owner.slot,
                              .pc = owner.op->pc};
  const std::uint64_t sectors = queue_lines(request, pieces, std::max(piece_bytes, 1U));
  loads_[id].waits = is_store ? 0 : static_cast<std::uint32_t>(bulk_.size() - first);
  if (loads_[id].waits == 0) {
    loads_[id].waits = 1;
    bulk_.push_back(
        {.time = request.time, .sm = sm_, .tag = request.tag, .grid = owner.grid, .is_fence = true});
  }
  if (!is_store) loads_[id].write_time = write_time(1);
  MemoryCounters& counters = counters_of(owner);
  ++(is_store ? counters.global_store_requests : counters.global_load_requests);
  (is_store ? counters.global_store_sectors : counters.global_load_sectors) += sectors;
  if (!is_store) counters.l1_miss_sectors += sectors;
  // Otherwise those before it have said when: they may be held.
  if (first == 0) bulk_next_ = std::max(bulk_.front().time, bulk_free_);
}

/// A request like this one for each line of the pieces. Returns how many sectors they ask for.
std::uint64_t LoadStoreUnit::queue_lines(const MemoryRequest& request, std::span<const Addr> pieces,
                                         std::uint32_t piece_bytes) {
  const std::size_t first = bulk_.size();
  std::uint64_t sectors = 0;
  for (const Addr piece : pieces) {
    for (Addr at = piece; at < piece + piece_bytes;
         at += geometry_.sector_bytes - at % geometry_.sector_bytes) {
      const Addr line = at - at % geometry_.line_bytes;
      const std::uint32_t sector = 1U << (at - line) / geometry_.sector_bytes;
      if (bulk_.size() == first || bulk_.back().line != line) bulk_.push_back(request);
      bulk_.back().line = line;
      if ((bulk_.back().sectors & sector) == 0) ++sectors;
      bulk_.back().sectors |= sector;
    }
  }
  return sectors;
}

/// Requests leave in the order of their time: what the stage has stamped for later goes first.
void LoadStoreUnit::advance_bulk(Cycle now) {
  if (!requests_.empty() && requests_.back().time > now) {
    bulk_next_ = requests_.back().time;
    return;
  }
  if (bulk_.front().is_store && now < stores_from_) {
    bulk_next_ = stores_from_;
    return;
  }
  MemoryRequest& leaving = requests_.emplace_back(bulk_.front());
  leaving.time = now;
  if (!leaving.is_fence) leaving.translation = translations_.wait(leaving.line, now);
  bulk_.pop_front();
  bulk_free_ = now + 1;
  bulk_next_ = bulk_.empty() ? kNever : std::max(bulk_.front().time, bulk_free_);
}

/// A fence for the GPU or the system follows the warp's stores to L2. It costs its latency at least.
void LoadStoreUnit::serve_fence(const Entry& entry, Cycle now) {
  const LoadId id = take_load(entry.owner);
  const Cycle latency = spec_.sm.timing(entry.owner.op->timing_class).latency;
  requests_.push_back(
      {.time = now, .sm = sm_, .tag = kPastL1 | id, .grid = entry.owner.grid, .is_fence = true});
  loads_[id].waits = 1;
  loads_[id].ready_at = now + latency - std::min<Cycle>(latency, spec_.sm.mio.front_latency);
}

}  // namespace heddle::sim
