// What would have to change for another occupancy, and what occupancy other block sizes, registers and shared
// memory give.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "sim/occupancy/occupancy.h"

namespace heddle::sim {

/// Dynamic shared memory in bytes of a block of so many threads.
using SharedOfBlock = std::function<std::uint32_t(std::uint32_t threads)>;

/// The block size for the most resident threads: what cudaOccupancyMaxPotentialBlockSize answers.
struct BlockSuggestion {
  std::uint32_t threads = 0;  ///< The largest that is best; 0 if no block size can run.
  Occupancy occupancy;
  std::vector<std::uint32_t> ties;  ///< All that hold as many threads, ascending.
};

/// Tries the multiples of the warp size up to `most_threads`, and that itself. The shared memory is the
/// kernel's where no function is given.
BlockSuggestion suggest_block(const OccupancySpec& spec, const KernelResources& kernel,
                              std::uint32_t most_threads, const SharedOfBlock& shared_of_block = {});

/// What reaches an occupancy, one thing changed at a time. Nothing where no amount does.
struct OccupancyReach {
  std::uint32_t blocks_per_sm = 0;  ///< That it takes, at this block size.
  std::uint32_t warps = 0;
  std::optional<std::uint32_t> registers;  ///< Most registers a thread.
  std::optional<std::uint32_t> shared;     ///< Most bytes a block, static and dynamic.
  std::optional<std::uint32_t> barriers;   ///< Most named barriers a block.
  /// Multiples of the warp size, with the kernel's registers and bytes.
  std::vector<std::uint32_t> block_sizes;
};

/// `target` is an occupancy, above 0 to 1.
OccupancyReach reach(const OccupancySpec& spec, const KernelResources& kernel, double target);

struct CurvePoint {
  std::uint32_t amount = 0;
  Occupancy occupancy;
};

/// The multiples of the warp size up to the largest block.
std::vector<CurvePoint> curve_over_block_size(const OccupancySpec& spec, const KernelResources& kernel);
/// 1 to the most that a kernel can name, 255.
std::vector<CurvePoint> curve_over_registers(const OccupancySpec& spec, const KernelResources& kernel);
/// Static and dynamic bytes, each KiB from 0 to the largest legal amount.
std::vector<CurvePoint> curve_over_shared(const OccupancySpec& spec, const KernelResources& kernel);

}  // namespace heddle::sim
