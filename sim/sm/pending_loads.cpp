#include "sim/sm/pending_loads.h"

#include <algorithm>
#include <span>

namespace heddle::sim {

// A load that waits for nothing has been given back.
bool PendingLoads::has_grid(GridSlot slot) const {
  const std::span<const PendingLoad> loads = loads_.all();
  return std::any_of(loads.begin(), loads.end(),
                     [slot](const PendingLoad& load) { return load.waits != 0 && load.owner.grid == slot; });
}

LoadId PendingLoads::open(const ResultOwner& owner, Cycle issued, bool loads_data, std::uint32_t write_time) {
  const LoadId id = loads_.take();
  loads_[id] = {
      .owner = owner, .waits = 1, .write_time = write_time, .issued = issued, .loads_data = loads_data};
  return id;
}

void PendingLoads::arrive(LoadId id, MemoryLevel level, Cycle now) {
  PendingLoad& load = loads_[id];
  load.level = std::max(load.level, level);
  load.ready_at = std::max(load.ready_at, now);
  if (--load.waits == 0) finish(id);
}

void PendingLoads::finish(LoadId id) {
  const PendingLoad& load = loads_[id];
  const Cycle ready_at = load.ready_at + load.write_time;
  if (load.loads_data) {
    if (PcCounters* of_pc = counters_.find(load.owner))
      of_pc->latency_from(load.level).add(ready_at - load.issued);
  }
  complete(load.owner, ready_at);
  loads_.give_back(id);
}

/// Notes a completion for the warp. Instructions that write no register make none, except copies and fences.
void PendingLoads::complete(const ResultOwner& owner, Cycle ready_at) {
  auto timing_class = owner.op->timing_class;
  if (!owner.op->has_result()) {
    const stream::OpKind kind = owner.op->kind;
    if (stream::is_bulk(kind)) {
      timing_class = ir::TimingClass::CopyToShared;
    } else if (kind != stream::OpKind::Copy && kind != stream::OpKind::Fence) {
      return;
    }
  }
  Completion& completion = completions_.emplace_back();
  completion.owner = owner;
  completion.ready = ReadyTime(ready_at, ir::info(timing_class).waiter_stall);
}

}  // namespace heddle::sim
