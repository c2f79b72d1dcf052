#include "sim/occupancy/occupancy.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/base/diagnostic.h"

namespace heddle::sim {

namespace {

/// A launch in the units of the allocator.
struct BlockNeeds {
  std::uint64_t warps = 0;
  std::uint64_t registers_per_warp = 0;  ///< Rounded up to the unit.
  std::uint64_t shared_bytes = 0;        ///< With what the system reserves, rounded up to the unit.
};

BlockNeeds needs_of(const OccupancySpec& spec, const stream::LaunchShape& launch) {
  const std::uint64_t registers = std::uint64_t{launch.registers_per_thread} * spec.warp_size;
  const std::uint64_t shared = std::uint64_t{launch.shared_bytes_per_block} + spec.shared_reserved;
  return {divide_up(launch.threads_per_block(), spec.warp_size), round_up(registers, spec.register_unit),
          round_up(shared, spec.shared_unit)};
}

/// The extents one by one first: their product may wrap around.
bool is_too_large(const Dim3& block, std::uint32_t most_threads) {
  return std::max({block.x, block.y, block.z}) > most_threads || block.count() > most_threads;
}

void check_threads(const OccupancySpec& spec, const Dim3& block, Diagnostics& problems) {
  const std::string extents = fmt::format("{} x {} x {}", block.x, block.y, block.z);
  if (block.x == 0 || block.y == 0 || block.z == 0) {
    problems.add({}, fmt::format("a block of {} has no threads; it needs at least 1", extents));
  } else if (is_too_large(block, spec.max_threads_per_block)) {
    problems.add({}, fmt::format("a block of {} threads is larger than this GPU takes: at most {} threads "
                                 "(occupancy.max_threads_per_block)",
                                 extents, spec.max_threads_per_block));
  }
}

/// All warps of a block are placed evenly over the pools of registers, so a block pays for a multiple of
/// their number.
void check_registers(const OccupancySpec& spec, const stream::LaunchShape& launch, Diagnostics& problems) {
  if (launch.registers_per_thread > spec.max_registers_per_thread) {
    problems.add({}, fmt::format("{} registers a thread; at most {} (occupancy.max_registers_per_thread)",
                                 launch.registers_per_thread, spec.max_registers_per_thread));
    return;
  }
  const BlockNeeds needs = needs_of(spec, launch);
  const std::uint64_t registers = needs.registers_per_warp * round_up(needs.warps, spec.register_partitions);
  if (registers > spec.registers_per_block) {
    problems.add({},
                 fmt::format("a block of {} warps with {} registers a thread takes {} registers; at most {} "
                             "(occupancy.registers_per_block)",
                             needs.warps, launch.registers_per_thread, registers, spec.registers_per_block));
  }
}

void check_shared(const OccupancySpec& spec, const stream::LaunchShape& launch, Diagnostics& problems) {
  if (launch.shared_bytes_per_block <= spec.shared_bytes_per_block) return;
  problems.add({},
               fmt::format("{} bytes of shared memory a block; at most {} (occupancy.shared_bytes_per_block)",
                           launch.shared_bytes_per_block, spec.shared_bytes_per_block));
}

/// What the hardware refuses to launch, however empty it is.
void check_launch(const OccupancySpec& spec, const stream::LaunchShape& launch) {
  Diagnostics problems;
  check_threads(spec, launch.block, problems);
  if (problems.empty()) check_registers(spec, launch, problems);
  check_shared(spec, launch, problems);
  problems.throw_if_any();
}

std::uint32_t blocks_by_registers(const OccupancySpec& spec, const BlockNeeds& needs) {
  if (needs.registers_per_warp == 0) return kNoBlockLimit;
  // A warp's registers come from one pool: what is left over in one cannot be added to another's.
  const std::uint64_t warps_per_pool = spec.registers / spec.register_partitions / needs.registers_per_warp;
  return static_cast<std::uint32_t>(warps_per_pool * spec.register_partitions / needs.warps);
}

std::uint32_t blocks_by_shared(const OccupancySpec& spec, const BlockNeeds& needs) {
  if (needs.shared_bytes == 0) return kNoBlockLimit;
  return static_cast<std::uint32_t>(spec.shared_bytes / needs.shared_bytes);
}

std::vector<BlockLimit> block_limits(const OccupancySpec& spec, const BlockNeeds& needs) {
  return {{"warps", static_cast<std::uint32_t>(spec.max_warps / needs.warps)},
          {"blocks", spec.max_blocks},
          {"registers", blocks_by_registers(spec, needs)},
          {"shared", blocks_by_shared(spec, needs)}};
}

/// Configurations can be so tight that a legal block does not fit an empty SM.
void check_limits(const std::vector<BlockLimit>& limits) {
  Diagnostics problems;
  for (const BlockLimit& limit : limits) {
    if (limit.blocks > 0) continue;
    problems.add({}, fmt::format("not even one block fits an SM: it needs more {} than there are",
                                 limit.resource == "shared" ? "bytes of shared memory" : limit.resource));
  }
  problems.throw_if_any();
}

std::uint32_t least_carveout(const OccupancySpec& spec, std::uint64_t bytes) {
  const auto fits = std::lower_bound(spec.carveouts.begin(), spec.carveouts.end(), bytes);
  return fits == spec.carveouts.end() ? spec.shared_bytes : *fits;
}

}  // namespace

Occupancy theoretical_occupancy(const OccupancySpec& spec, const stream::LaunchShape& launch) {
  check_launch(spec, launch);
  const BlockNeeds needs = needs_of(spec, launch);
  Occupancy result;
  result.limits = block_limits(spec, needs);
  check_limits(result.limits);
  const auto by_blocks = [](const BlockLimit& a, const BlockLimit& b) { return a.blocks < b.blocks; };
  result.blocks_per_sm = std::min_element(result.limits.begin(), result.limits.end(), by_blocks)->blocks;
  for (const BlockLimit& limit : result.limits) {
    if (limit.blocks == result.blocks_per_sm) result.limiters.push_back(limit.resource);
  }
  result.warps_per_sm = static_cast<std::uint32_t>(result.blocks_per_sm * needs.warps);
  result.occupancy = static_cast<double>(result.warps_per_sm) / spec.max_warps;
  result.shared_carveout = least_carveout(spec, result.blocks_per_sm * needs.shared_bytes);
  return result;
}

}  // namespace heddle::sim
