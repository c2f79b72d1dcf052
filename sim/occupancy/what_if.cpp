#include "sim/occupancy/what_if.h"

#include <algorithm>
#include <cmath>

#include "isa/base/cuda_limits.h"
#include "isa/base/types.h"
#include "sim/occupancy/allocation.h"

namespace heddle::sim {

namespace {

KernelResources with_block(KernelResources kernel, std::uint32_t threads) {
  kernel.block = {threads, 1, 1};
  return kernel;
}

KernelResources with_registers(KernelResources kernel, std::uint32_t registers) {
  kernel.registers_per_thread = registers;
  return kernel;
}

KernelResources with_barriers(KernelResources kernel, std::uint32_t barriers) {
  kernel.barriers = barriers;
  return kernel;
}

KernelResources with_shared(KernelResources kernel, std::uint32_t bytes) {
  kernel.static_shared = 0;
  kernel.dynamic_shared = bytes;
  kernel.max_dynamic_shared.reset();
  return kernel;
}

/// The largest number from 0 to `most` for which `holds` is true. `holds` must be true for all numbers below
/// one for which it is true.
template <typename Holds>
std::optional<std::uint32_t> largest(std::uint32_t most, const Holds& holds) {
  if (!holds(0)) return std::nullopt;
  std::uint32_t good = 0;
  for (std::uint32_t bad = most + 1; bad - good > 1;) {
    const std::uint32_t middle = good + (bad - good) / 2;
    (holds(middle) ? good : bad) = middle;
  }
  return good;
}

template <typename Change>
std::vector<CurvePoint> curve(const OccupancySpec& spec, std::uint32_t first, std::uint32_t last,
                              std::uint32_t step, const Change& change) {
  std::vector<CurvePoint> points;
  for (std::uint32_t amount = first; amount <= last; amount += step) {
    points.push_back({amount, occupancy_of(spec, change(amount))});
  }
  return points;
}

}  // namespace

BlockSuggestion suggest_block(const OccupancySpec& spec, const KernelResources& kernel,
                              std::uint32_t most_threads, const SharedOfBlock& shared_of_block) {
  BlockSuggestion best;
  std::uint64_t most_resident = 0;
  const std::uint32_t limit = std::min(most_threads, spec.max_threads_per_block);
  for (std::uint64_t size = round_up(limit, spec.warp_size); size > 0; size -= spec.warp_size) {
    const std::uint32_t threads = std::min(limit, static_cast<std::uint32_t>(size));
    KernelResources tried = with_block(kernel, threads);
    if (shared_of_block) tried.dynamic_shared = shared_of_block(threads);
    const Occupancy found = occupancy_of(spec, tried);
    const std::uint64_t resident = std::uint64_t{found.blocks_per_sm} * threads;
    if (resident > most_resident) {
      best = {threads, found, {}};
      most_resident = resident;
    }
    if (resident > 0 && resident == most_resident) best.ties.push_back(threads);
  }
  std::reverse(best.ties.begin(), best.ties.end());
  return best;
}

OccupancyReach reach(const OccupancySpec& spec, const KernelResources& kernel, double target) {
  // A target of 33.3 % counts as reached by 16 of 48 warps.
  constexpr double kSlack = 5e-4;
  OccupancyReach result;
  result.warps = static_cast<std::uint32_t>(std::ceil((target - kSlack) * spec.max_warps));
  result.warps = std::max(result.warps, 1u);
  const std::uint64_t warps_of_block = std::max<std::uint64_t>(allocation_of(spec, kernel).warps, 1);
  result.blocks_per_sm = static_cast<std::uint32_t>(divide_up(result.warps, warps_of_block));
  const auto reaches = [&](const KernelResources& changed) {
    return occupancy_of(spec, changed).warps_per_sm >= result.warps;
  };
  result.registers =
      largest(kMostRegistersPerThread, [&](std::uint32_t n) { return reaches(with_registers(kernel, n)); });
  result.shared =
      largest(spec.shared_bytes, [&](std::uint32_t n) { return reaches(with_shared(kernel, n)); });
  result.barriers =
      largest(kMostBarriersPerBlock, [&](std::uint32_t n) { return reaches(with_barriers(kernel, n)); });
  for (std::uint32_t n = spec.warp_size; n <= spec.max_threads_per_block; n += spec.warp_size) {
    if (reaches(with_block(kernel, n))) result.block_sizes.push_back(n);
  }
  return result;
}

std::vector<CurvePoint> curve_over_block_size(const OccupancySpec& spec, const KernelResources& kernel) {
  const std::uint32_t first = std::min(spec.warp_size, spec.max_threads_per_block);
  return curve(spec, first, spec.max_threads_per_block, spec.warp_size,
               [&](std::uint32_t threads) { return with_block(kernel, threads); });
}

std::vector<CurvePoint> curve_over_registers(const OccupancySpec& spec, const KernelResources& kernel) {
  const std::uint32_t most = std::min(spec.max_registers_per_thread, kMostRegistersPerThread);
  return curve(spec, 1, most, 1, [&](std::uint32_t n) { return with_registers(kernel, n); });
}

std::vector<CurvePoint> curve_over_shared(const OccupancySpec& spec, const KernelResources& kernel) {
  constexpr std::uint32_t kStep = 1024;
  return curve(spec, 0, most_shared(spec, kernel), kStep,
               [&](std::uint32_t bytes) { return with_shared(kernel, bytes); });
}

}  // namespace heddle::sim
