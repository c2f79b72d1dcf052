#include "sim/occupancy/allocation.h"

#include <algorithm>

#include "isa/base/types.h"

namespace heddle::sim {

std::uint64_t thread_count(const Dim3& block) {
  constexpr std::uint64_t kFarTooMany = std::uint64_t{1} << 31;
  const std::uint64_t plane = std::min(std::uint64_t{block.x} * block.y, kFarTooMany);
  return std::min(plane * block.z, kFarTooMany);
}

BlockAllocation allocation_of(const OccupancySpec& spec, const KernelResources& kernel) {
  BlockAllocation block;
  block.warps = divide_up(thread_count(kernel.block), spec.warp_size);
  block.registers_per_warp =
      round_up(std::uint64_t{kernel.registers_per_thread} * spec.warp_size, spec.register_unit);
  block.registers = block.registers_per_warp * block.warps;
  block.shared_bytes = round_up(kernel.shared_bytes() + spec.shared_reserved, spec.shared_unit);
  return block;
}

std::uint64_t checked_registers(const OccupancySpec& spec, const BlockAllocation& block) {
  return block.registers_per_warp * round_up(block.warps, spec.register_launch_partitions);
}

std::uint32_t most_shared(const OccupancySpec& spec, const KernelResources& kernel) {
  return kernel.shared_opt_in ? spec.shared_bytes_per_block : spec.shared_without_opt_in;
}

}  // namespace heddle::sim
