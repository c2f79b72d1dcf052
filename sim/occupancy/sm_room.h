// What an SM has left for blocks, as blocks of several kernels come and go: warps, registers, shared memory,
// named barriers, block slots. Of one kernel alone it takes as many as occupancy_of() says.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/config/gpu_spec.h"
#include "sim/occupancy/occupancy.h"

namespace heddle::sim {

/// What each block of a kernel takes.
struct BlockDemand {
  BlockAllocation block;
  std::uint32_t barriers = 0;
  std::uint32_t carveout = 0;  ///< What an empty SM's shared memory is set to for such blocks, in bytes.
};

BlockDemand demand_of(const Occupancy& occupancy, std::uint32_t barriers);

class SmRoom {
 public:
  /// A block's warps by the pool that their registers come from; empty if they take none.
  using Pools = std::vector<std::uint16_t>;

  explicit SmRoom(const OccupancySpec& spec);

  /// How many more such blocks fit. What shared memory is set to changes only while no block is there.
  [[nodiscard]] std::uint32_t room_for(const BlockDemand& demand) const;
  /// There must be room.
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
