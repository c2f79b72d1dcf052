#include "sim/sm/load_store_unit.h"

namespace heddle::sim {

LoadStoreUnit::LoadStoreUnit(const GpuSpec& spec, SmId sm)
    : spec_(spec),
      queues_(spec),
      port_(spec, sm),
      loads_(counters_),
      l1_(spec, port_, loads_, counters_),
      addresses_(spec, l1_.cache(), counters_),
      bulk_(spec, port_, loads_, counters_) {}

void LoadStoreUnit::add_grid(GridSlot slot) {
  counters_.add_grid(slot);
  l1_.add_grid(slot);
}

bool LoadStoreUnit::has_in_flight(GridSlot slot) const {
  return queues_.has_grid(slot) || port_.has_grid(slot) || bulk_.has_grid(slot) || loads_.has_grid(slot);
}

/// L1 may have room for what it refused.
void LoadStoreUnit::make_room() {
  refused_ = false;
  look_ahead();
}

void LoadStoreUnit::advance(Cycle now) {
  while (next_ <= now) {
    const MioEntry& entry = queues_.front();
    if (is_held(entry, now)) {
      stage_free_ = stores_from_;
    } else if (serve(entry, now)) {
      queues_.pop();
    } else {
      refused_ = true;
    }
    look_ahead();
  }
  if (bulk_.next() <= now) bulk_.advance(now, stores_from_);
}

/// Whether it is a store that memory has no room for yet. One to shared memory has no lines.
bool LoadStoreUnit::is_held(const MioEntry& entry, Cycle now) const {
  if (now >= stores_from_) return false;
  return entry.owner.op->kind == stream::OpKind::Store && entry.lines.size() != 0;
}

/// Does what the instruction asks; false if L1 has no place for its misses.
bool LoadStoreUnit::serve(const MioEntry& entry, Cycle now) {
  const stream::StaticOp& op = *entry.owner.op;
  if (op.kind == stream::OpKind::InvalidateL1) {
    l1_.invalidate();
  } else if (op.space == stream::MemorySpace::None || op.space == stream::MemorySpace::Shared) {
    serve_here(entry, now);
  } else if (op.kind == stream::OpKind::Fence) {
    l1_.fence(entry, now);
  } else if (op.past_l1) {
    l1_.load_past_l1(entry, now);
  } else if (op.kind == stream::OpKind::Load || op.kind == stream::OpKind::Copy) {
    if (!l1_.load(entry, now)) return false;
  } else if (op.kind == stream::OpKind::Store) {
    l1_.store(entry, now);
  } else {
    l1_.atomic(entry, now);
  }
  const Cycle busy = std::max<Cycle>(spec_.sm.mio.shared_interval, stage_time(entry));
  stage_free_ = now + busy;
  counters_.count(entry.owner, [busy](MemoryCounters& counters) { counters.l1_data_pipe_cycles += busy; });
  return true;
}

/// Shared memory and shuffles; fences that ask nothing of L2.
void LoadStoreUnit::serve_here(const MioEntry& entry, Cycle now) {
  const Cycle latency = spec_.sm.timing(entry.owner.op->timing_class).latency;
  loads_.complete(entry.owner, now + latency - spec_.sm.mio.front_latency + stage_time(entry) - 1);
}

/// What the passes over the banks take. Between those of an atomic, what was read must be written.
Cycle LoadStoreUnit::stage_time(const MioEntry& entry) const {
  const stream::StaticOp& op = *entry.owner.op;
  const bool in_turns = op.kind == stream::OpKind::Atomic && op.space == stream::MemorySpace::Shared;
  return 1 + Cycle{entry.passes - 1} * (in_turns ? spec_.sm.shared.atomic_interval : 1);
}

}  // namespace heddle::sim
