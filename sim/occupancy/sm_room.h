// The resources that an SM has left as blocks of several kernels come and go: warps, registers, shared
// memory, named barriers, block slots. For one kernel alone, as many blocks fit as occupancy_of() says.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/config/gpu_spec.h"
#include "sim/occupancy/occupancy.h"

namespace heddle::sim {

/// What each block of a kernel takes of an SM.
struct BlockDemand {
  BlockAllocation block;
  std::uint32_t barriers = 0;
  std::uint32_t carveout = 0;  ///< Bytes that shared memory is set to if such a block starts on an empty SM.
};

BlockDemand demand_of(const Occupancy& occupancy, std::uint32_t barriers);

/// The free resources of one SM. Blocks take them when they start and give them back when they end.
class SmRoom {
 public:
  /// How many of a block's warps have their registers in each pool. Empty if the warps take no registers.
  using Pools = std::vector<std::uint16_t>;

  explicit SmRoom(const OccupancySpec& spec);

  /// How many more such blocks fit. The carve-out can change only while the SM is empty.
  [[nodiscard]] std::uint32_t room_for(const BlockDemand& demand) const;
  /// Requires room_for(demand) > 0.
  Pools take(const BlockDemand& demand);
  void give_back(const BlockDemand& demand, const Pools& pools);
  [[nodiscard]] bool is_empty() const { return blocks_ == 0; }

 private:
  [[nodiscard]] std::uint64_t room_in_pools(const BlockAllocation& block) const;

  OccupancySpec spec_;
  std::uint32_t blocks_ = 0;
  std::uint64_t warps_ = 0;
  std::uint64_t shared_bytes_ = 0;
  std::uint64_t barriers_ = 0;
  std::uint64_t carveout_ = 0;
  std::vector<std::uint64_t> free_registers_;  // by pool
};

}  // namespace heddle::sim
