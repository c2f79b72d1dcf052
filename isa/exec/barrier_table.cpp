#include "isa/exec/barrier_table.h"

namespace heddle::exec {

BarrierTable::Index BarrierTable::make(const Barrier& barrier) {
  const auto free = std::find_if(barriers_.begin(), barriers_.end(),
                                 [](const Barrier& place) { return place.members == 0; });
  const auto index = static_cast<Index>(free - barriers_.begin());
  if (free == barriers_.end()) {
    barriers_.push_back(barrier);
  } else {
    *free = barrier;
  }
  return index;
}

BarrierTable::Index BarrierTable::find_gather(BranchTarget group, LaneMask lanes) {
  const auto found = std::find_if(barriers_.begin(), barriers_.end(), [&](const Barrier& barrier) {
    return barrier.name == kGather && barrier.reconvergence == group.pc && (barrier.members & lanes) == lanes;
  });
  if (found != barriers_.end()) return static_cast<Index>(found - barriers_.begin());
  return make({.name = kGather, .members = group.lanes | lanes, .reconvergence = group.pc});
}

void BarrierTable::save(unsigned name, LaneMask lanes, std::uint32_t* kept) {
  for (Index index = 0; index < barriers_.size(); ++index) {
    Barrier& barrier = barriers_[index];
    if (barrier.name != name) continue;
    const LaneMask part = barrier.named() & lanes;
    barrier.kept |= part;
    for_each_lane(part, [&](unsigned lane) { kept[lane] = index + 1; });
  }
}

LaneMask BarrierTable::restore(unsigned name, LaneMask lanes, const std::uint32_t* kept) {
  LaneMask strange = 0;
  for_each_lane(lanes, [&](unsigned lane) {
    if (kept[lane] == 0) return;
    const LaneMask bit = LaneMask{1} << lane;
    const bool is_place = kept[lane] <= barriers_.size();
    Barrier* barrier = is_place ? &barriers_[kept[lane] - 1] : nullptr;
    if (barrier != nullptr && barrier->name == name && (barrier->kept & bit) != 0) {
      barrier->kept &= ~bit;
    } else {
      strange |= bit;
    }
  });
  return strange;
}

}  // namespace heddle::exec
