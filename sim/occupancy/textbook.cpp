#include "sim/occupancy/textbook.h"

#include <algorithm>

#include "sim/occupancy/allocation.h"

namespace heddle::sim {

TextbookOccupancy textbook_occupancy(const OccupancySpec& spec, const KernelResources& kernel) {
  TextbookOccupancy result;
  const auto set = [&](Resource resource, std::uint64_t warps) {
    result.limits[static_cast<std::size_t>(resource)] = warps;
  };
  const std::uint64_t warps = allocation_of(spec, kernel).warps;
  const std::uint64_t registers_of_a_warp = std::uint64_t{kernel.registers_per_thread} * spec.warp_size;
  set(Resource::Warps, spec.max_warps);
  set(Resource::Blocks, spec.max_blocks * warps);
  if (registers_of_a_warp > 0) set(Resource::Registers, spec.registers / registers_of_a_warp);
  if (kernel.shared_bytes() > 0) set(Resource::Shared, spec.shared_bytes / kernel.shared_bytes() * warps);
  result.warps = spec.max_warps;
  for (const auto& limit : result.limits) result.warps = std::min(result.warps, limit.value_or(result.warps));
  result.occupancy = static_cast<double>(result.warps) / spec.max_warps;
  return result;
}

}  // namespace heddle::sim
