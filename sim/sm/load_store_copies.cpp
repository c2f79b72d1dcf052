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
  entry.copy_passes = bank_passes(lane_access(step.shared_addresses, step.executed, bytes), spec_.sm.shared);
  ++counters_.global_load_requests;
  for (const LineAccess& access : entry.lines.list())
    counters_.global_load_sectors += bit_count(access.sectors);
  ++counters_.shared_store_requests;
  counters_.shared_store_passes += entry.copy_passes;
}

/// What writing shared memory adds to the time of a load: what the class's latency has above that of L1, and
/// the passes over the banks after the first. They do not keep the shared stage: a choice, nothing is
/// published.
std::uint32_t LoadStoreUnit::write_time(const Entry& entry) const {
  if (entry.owner.op->kind != stream::OpKind::Copy) return 0;
  const std::uint32_t latency = spec_.sm.timing(ir::TimingClass::CopyToShared).latency;
  return std::max(latency, spec_.l1.latency) - spec_.l1.latency + entry.copy_passes - 1;
}

/// All its sectors are asked of L2.
void LoadStoreUnit::serve_past_l1(const Entry& entry, Cycle now) {
  const LoadId id = take_load(entry.owner);
  for (unsigned i = 0; i < entry.lines.size(); ++i) {
    counters_.l1_miss_sectors += bit_count(entry.lines[i].sectors);
    request(now + entry.lines[i].turn, kPastL1 | id, entry.lines[i], false);
  }
  loads_[id].waits = entry.lines.size();
  loads_[id].write_time = write_time(entry);
  loads_[id].ready_at = now + look_up();
  if (loads_[id].waits == 0) finish_load(id);
}

/// A fence for the GPU or the system follows the warp's stores to L2. It costs its latency at least.
void LoadStoreUnit::serve_fence(const Entry& entry, Cycle now) {
  const LoadId id = take_load(entry.owner);
  const Cycle latency = spec_.sm.timing(entry.owner.op->timing_class).latency;
  requests_.push_back({now, sm_, kPastL1 | id, 0, 0, false, 0, true});
  loads_[id].waits = 1;
  loads_[id].ready_at = now + latency - std::min<Cycle>(latency, spec_.sm.mio.front_latency);
}

}  // namespace heddle::sim
