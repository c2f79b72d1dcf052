// How a whole grid fits a whole GPU: waves of blocks, their tail, and thread-block clusters.
#pragma once

#include <cstdint>

#include "sim/config/gpu_spec.h"

namespace heddle::sim {

/// How many waves a grid takes on a GPU, and how full they are.
struct GridFit {
  std::uint64_t blocks = 0;
  std::uint64_t blocks_per_wave = 0;  ///< Blocks that the GPU holds at a time.
  std::uint64_t full_waves = 0;
  std::uint64_t tail_blocks = 0;  ///< Blocks of the last wave if it is not full; else 0.
  double waves = 0;
  double efficiency = 0;  ///< Blocks of the grid / blocks that the waves could hold if all were full, 0 to 1.
};

/// Neither argument may be 0.
GridFit fit_grid(std::uint64_t blocks, std::uint64_t blocks_per_wave);

/// Clusters that a GPU holds at a time. All blocks of a cluster lie in one GPC.
///
/// The SMs are taken to be spread over the GPCs as evenly as pairs of SMs (TPCs) allow. If the number of GPCs
/// is not known, one GPC is assumed; then the result is an upper bound. Chips of one model differ in which
/// SMs are disabled.
std::uint64_t max_active_clusters(std::uint32_t sms, std::uint32_t gpcs, std::uint32_t blocks_per_sm,
                                  std::uint64_t cluster_blocks);

}  // namespace heddle::sim
