#include "sim/occupancy/occupancy.h"

#include <algorithm>

#include "isa/base/diagnostic.h"
#include "isa/base/types.h"
#include "sim/occupancy/allocation.h"
#include "sim/occupancy/refusals.h"

namespace heddle::sim {

namespace {

/// Blocks whose warps fit the warp slots of an SM, or those of both halves if a block must fit in one.
std::uint32_t blocks_in(std::uint64_t places, std::uint64_t warps, bool halves) {
  return static_cast<std::uint32_t>(halves ? 2 * (places / 2 / warps) : places / warps);
}

std::uint32_t quotient_or_no_limit(std::uint64_t amount, std::uint64_t of_a_block) {
  return of_a_block == 0 ? kNoBlockLimit : static_cast<std::uint32_t>(amount / of_a_block);
}

std::uint32_t blocks_by_warps(const OccupancySpec& spec, const KernelResources& kernel,
                              const BlockAllocation& block, bool halves) {
  if (thread_count(kernel.block) > spec.max_threads_per_block) return 0;
  return blocks_in(spec.max_warps, block.warps, halves);
}

// -- registers ------------------------------------------------------------------------------------

bool takes_registers(const OccupancySpec& spec, const KernelResources& kernel, const BlockAllocation& block) {
  return kernel.registers_per_thread <= spec.max_registers_per_thread &&
         checked_registers(spec, block) <= spec.registers_per_block &&
         block.registers <= spec.registers_per_block;
}

/// Partitioned caching is given up if half an SM has too few registers for a block.
std::uint32_t blocks_by_registers(const OccupancySpec& spec, const KernelResources& kernel,
                                  const BlockAllocation& block, bool& halves) {
  if (!takes_registers(spec, kernel, block)) return 0;
  if (block.registers_per_warp == 0) return kNoBlockLimit;
  // All registers of a warp come from one pool: the rests of two pools cannot be added.
  const std::uint64_t warps_of_a_pool = spec.registers / spec.register_partitions / block.registers_per_warp;
  const std::uint64_t places = warps_of_a_pool * spec.register_partitions;
  const std::uint32_t blocks = blocks_in(places, block.warps, halves);
  if (blocks > 0 || !halves || kernel.caching == PartitionedCaching::Forced) return blocks;
  halves = false;
  return blocks_in(places, block.warps, false);
}

// -- shared memory --------------------------------------------------------------------------------

std::uint32_t least_carveout(const OccupancySpec& spec, std::uint64_t bytes) {
  const auto fits = std::lower_bound(spec.carveouts.begin(), spec.carveouts.end(), bytes);
  return fits == spec.carveouts.end() ? spec.shared_bytes : *fits;
}

std::uint32_t preferred_capacity(const OccupancySpec& spec, const KernelResources& kernel) {
  if (!kernel.carveout_percent) return spec.shared_bytes;
  return least_carveout(spec, std::uint64_t{*kernel.carveout_percent} * spec.shared_bytes / 100);
}

/// If the preferred size is too small for one block, the next legal size that holds one block is used.
std::uint32_t shared_capacity(const OccupancySpec& spec, const KernelResources& kernel,
                              const BlockAllocation& block) {
  return std::max(preferred_capacity(spec, kernel), least_carveout(spec, block.shared_bytes));
}

std::uint32_t blocks_by_shared(const OccupancySpec& spec, const KernelResources& kernel,
                               const Occupancy& result) {
  const std::uint64_t most = std::uint64_t{most_shared(spec, kernel)} + spec.shared_reserved;
  const bool beyond_attribute =
      kernel.shared_opt_in &&
      kernel.dynamic_shared > kernel.max_dynamic_shared.value_or(kernel.dynamic_shared);
  if (beyond_attribute || result.block.shared_bytes > most) return 0;
  return quotient_or_no_limit(result.shared_capacity, result.block.shared_bytes);
}

// -- all limits -----------------------------------------------------------------------------------

void set(Occupancy& result, Resource resource, std::uint32_t blocks) {
  result.limits[static_cast<std::size_t>(resource)] = blocks;
}

void set_limits(const OccupancySpec& spec, const KernelResources& kernel, Occupancy& result) {
  bool halves = spec.partitioned_caching && kernel.caching != PartitionedCaching::Off;
  set(result, Resource::Registers, blocks_by_registers(spec, kernel, result.block, halves));
  // This comes after the registers because they decide whether the halves are used.
  set(result, Resource::Warps, blocks_by_warps(spec, kernel, result.block, halves));
  set(result, Resource::Blocks, spec.max_blocks);
  set(result, Resource::Shared, blocks_by_shared(spec, kernel, result));
  set(result, Resource::Barriers,
      spec.barriers == 0 ? kNoBlockLimit : quotient_or_no_limit(spec.barriers, kernel.barriers));
  set(result, Resource::Virtual,
      spec.virtual_resources == 0 ? kNoBlockLimit
                                  : quotient_or_no_limit(spec.virtual_resources, kernel.virtual_resources));
  result.partitioned_caching = halves;
}

}  // namespace

std::vector<Resource> Occupancy::limiters() const {
  std::vector<Resource> list;
  for (std::size_t i = 0; i < kResources; ++i) {
    if (is_limited_by(static_cast<Resource>(i))) list.push_back(static_cast<Resource>(i));
  }
  return list;
}

Occupancy occupancy_of(const OccupancySpec& spec, const KernelResources& kernel) {
  Occupancy result;
  result.block = allocation_of(spec, kernel);
  if (result.block.warps == 0) {
    result.limits.fill(kNoBlockLimit);
    set(result, Resource::Warps, 0);
    return result;
  }
  result.shared_capacity = shared_capacity(spec, kernel, result.block);
  set_limits(spec, kernel, result);
  result.blocks_per_sm = *std::min_element(result.limits.begin(), result.limits.end());
  result.warps_per_sm = static_cast<std::uint32_t>(result.blocks_per_sm * result.block.warps);
  result.occupancy = static_cast<double>(result.warps_per_sm) / spec.max_warps;
  result.shared_carveout = kernel.carveout_percent
                               ? result.shared_capacity
                               : least_carveout(spec, result.blocks_per_sm * result.block.shared_bytes);
  return result;
}

KernelResources resources_of(const stream::LaunchShape& launch) {
  KernelResources kernel;
  kernel.block = launch.block;
  kernel.registers_per_thread = launch.registers_per_thread;
  kernel.dynamic_shared = launch.shared_bytes_per_block;
  kernel.barriers = launch.barriers_per_block;
  return kernel;
}

Occupancy theoretical_occupancy(const OccupancySpec& spec, const stream::LaunchShape& launch) {
  const KernelResources kernel = resources_of(launch);
  Diagnostics problems;
  for (std::string& reason : refusals(spec, kernel)) problems.add({}, std::move(reason));
  problems.throw_if_any();
  return occupancy_of(spec, kernel);
}

}  // namespace heddle::sim
