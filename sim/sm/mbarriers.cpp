#include "sim/sm/mbarriers.h"

namespace heddle::sim {

void Mbarrier::init(std::uint32_t expected) {
  *this = Mbarrier();
  expected_ = pending_ = expected;
}

void Mbarrier::arrive(std::uint32_t count, std::int64_t bytes, Cycle at, std::uint32_t departures) {
  if (!is_counted()) return;
  last_ = std::max(last_, at);
  expected_ -= std::min(expected_, departures);
  pending_ -= std::min(pending_, count);
  bytes_ += bytes;
  end_phase_if_complete();
}

void Mbarrier::receive(std::uint64_t bytes, std::uint32_t copies_per_phase, Cycle at) {
  if (is_counted()) return arrive(0, -static_cast<std::int64_t>(bytes), at);
  last_ = std::max(last_, at);
  ++copies_;
  if (copies_per_phase == 0 || copies_ % copies_per_phase != 0) return;
  end_phase();
}

void Mbarrier::force(std::uint64_t phases, Cycle at) {
  last_ = std::max(last_, at);
  pending_ = expected_;
  bytes_ = 0;
  while (phases_ < phases) end_phase();
}

Cycle Mbarrier::over_at(std::uint64_t phases) const {
  if (phases == 0) return 0;
  return ends_[std::max(phases, phases_ - std::min<std::uint64_t>(phases_, kEnds - 1)) % kEnds];
}

void Mbarrier::end_phase() { ends_[++phases_ % kEnds] = last_; }

void Mbarrier::end_phase_if_complete() {
  if (pending_ != 0 || bytes_ != 0) return;
  pending_ = expected_;
  end_phase();
}

void ClusterBarrier::arrive(WarpSlot slot, std::uint32_t live_warps, Cycle at) {
  if (std::find(arrived_.begin(), arrived_.end(), slot) == arrived_.end()) arrived_.push_back(slot);
  if (arrived_.size() >= live_warps) force(at);
}

void ClusterBarrier::leave(WarpSlot slot, std::uint32_t live_warps, Cycle at) {
  std::erase(arrived_, slot);
  if (!arrived_.empty() && arrived_.size() >= live_warps) force(at);
}

void ClusterBarrier::force(Cycle at) {
  ++phases_;
  over_at_ = at;
  arrived_.clear();
}

std::uint64_t BlockMbarriers::phases(std::uint32_t barrier) const {
  if (barrier == kCluster) return cluster.phases();
  const auto found = barriers.find(barrier);
  return found == barriers.end() ? 0 : found->second.phases();
}

Cycle BlockMbarriers::over_at(std::uint32_t barrier, std::uint64_t phases) const {
  if (barrier == kCluster) return cluster.over_at();
  const auto found = barriers.find(barrier);
  return found == barriers.end() ? 0 : found->second.over_at(phases);
}

void BlockMbarriers::force(const PhaseWait& wait, Cycle at) {
  if (wait.barrier == kCluster) {
    cluster.force(at);
  } else {
    barriers[wait.barrier].force(wait.phases, at);
  }
}

bool BlockMbarriers::has_waiting(WarpSlot slot) const {
  return std::any_of(waits.begin(), waits.end(), [slot](const PhaseWait& wait) { return wait.slot == slot; });
}

}  // namespace heddle::sim
