// What has to change to reach another occupancy, and how occupancy depends on block size, registers and
// shared memory.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "sim/occupancy/occupancy.h"

namespace heddle::sim {

/// Gives the bytes of dynamic shared memory of a block with this many threads.
using SharedOfBlock = std::function<std::uint32_t(std::uint32_t threads)>;

/// The block size with the most resident threads, as cudaOccupancyMaxPotentialBlockSize finds it.
struct BlockSuggestion {
  std::uint32_t threads = 0;  ///< The largest of the best block sizes; 0 if none can run.
  Occupancy occupancy;
  std::vector<std::uint32_t> ties;  ///< All block sizes with as many resident threads, ascending.
};

/// Tries the multiples of the warp size up to `most_threads`, and `most_threads` itself. Without a function
/// the kernel's own shared memory is used.
BlockSuggestion suggest_block(const OccupancySpec& spec, const KernelResources& kernel,
                              std::uint32_t most_threads, const SharedOfBlock& shared_of_block = {});

/// The changes that reach an occupancy if only one thing is changed. A field is not set if no amount is
/// enough.
struct OccupancyReach {
  std::uint32_t blocks_per_sm = 0;  ///< Blocks that are needed at the present block size.
  std::uint32_t warps = 0;
  std::optional<std::uint32_t> registers;  ///< Most registers per thread.
  std::optional<std::uint32_t> shared;     ///< Most bytes per block, static and dynamic.
  std::optional<std::uint32_t> barriers;   ///< Most named barriers per block.
  /// Block sizes that are enough, in multiples of the warp size, with the kernel's registers and shared
  /// memory.
  std::vector<std::uint32_t> block_sizes;
};

/// `target` is an occupancy, more than 0 and at most 1.
OccupancyReach reach(const OccupancySpec& spec, const KernelResources& kernel, double target);

/// One point of a curve: the occupancy at one block size, register count or number of bytes.
struct CurvePoint {
  std::uint32_t amount = 0;
  Occupancy occupancy;
};

/// One point for each multiple of the warp size up to the largest block.
std::vector<CurvePoint> curve_over_block_size(const OccupancySpec& spec, const KernelResources& kernel);
/// One point for each register count from 1 to the most that an instruction can name, 255.
std::vector<CurvePoint> curve_over_registers(const OccupancySpec& spec, const KernelResources& kernel);
/// One point for each KiB of shared memory, static and dynamic, from 0 to the most that a block can have.
std::vector<CurvePoint> curve_over_shared(const OccupancySpec& spec, const KernelResources& kernel);

}  // namespace heddle::sim
