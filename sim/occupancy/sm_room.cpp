#include "sim/occupancy/sm_room.h"

#include <algorithm>

namespace heddle::sim {

namespace {

constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

std::uint64_t room(std::uint64_t most, std::uint64_t taken, std::uint64_t of_a_block) {
  return of_a_block == 0 ? kNoLimit : (most - std::min(taken, most)) / of_a_block;
}

}  // namespace

BlockDemand demand_of(const Occupancy& occupancy, std::uint32_t barriers) {
  return {occupancy.block, barriers, occupancy.shared_carveout};
}

SmRoom::SmRoom(const OccupancySpec& spec)
    : spec_(spec), free_registers_(spec.register_partitions, spec.registers / spec.register_partitions) {}

std::uint32_t SmRoom::room_for(const BlockDemand& demand) const {
  const std::uint64_t carveout = is_empty() ? demand.carveout : carveout_;
  return static_cast<std::uint32_t>(
      std::min({room(spec_.max_warps, warps_, demand.block.warps), room(spec_.max_blocks, blocks_, 1),
                room_in_pools(demand.block), room(carveout, shared_bytes_, demand.block.shared_bytes),
                spec_.barriers == 0 ? kNoLimit : room(spec_.barriers, barriers_, demand.barriers)}));
}

/// All registers of a warp come from one pool.
std::uint64_t SmRoom::room_in_pools(const BlockAllocation& block) const {
  if (block.registers_per_warp == 0) return kNoLimit;
  std::uint64_t warps = 0;
  for (const std::uint64_t free : free_registers_) warps += free / block.registers_per_warp;
  return warps / block.warps;
}

/// Each warp takes its registers from the pool that has most left.
SmRoom::Pools SmRoom::take(const BlockDemand& demand) {
  if (is_empty()) carveout_ = demand.carveout;
  ++blocks_;
  warps_ += demand.block.warps;
  shared_bytes_ += demand.block.shared_bytes;
  barriers_ += demand.barriers;
  Pools pools;
  if (demand.block.registers_per_warp == 0) return pools;
  pools.resize(free_registers_.size());
  for (std::uint64_t i = 0; i < demand.block.warps; ++i) {
    const auto most = std::max_element(free_registers_.begin(), free_registers_.end());
    *most -= demand.block.registers_per_warp;
    ++pools[static_cast<std::size_t>(most - free_registers_.begin())];
  }
  return pools;
}

void SmRoom::give_back(const BlockDemand& demand, const Pools& pools) {
  --blocks_;
  warps_ -= demand.block.warps;
  shared_bytes_ -= demand.block.shared_bytes;
  barriers_ -= demand.barriers;
  for (std::size_t i = 0; i < pools.size(); ++i)
    free_registers_[i] += pools[i] * demand.block.registers_per_warp;
}

}  // namespace heddle::sim
