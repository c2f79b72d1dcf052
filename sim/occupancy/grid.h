// A whole grid on a whole GPU: waves of blocks, their tail, and thread-block clusters.
#pragma once

#include <cstdint>

#include "sim/config/gpu_spec.h"

namespace heddle::sim {

struct GridFit {
  std::uint64_t blocks = 0;
  std::uint64_t blocks_per_wave = 0;  ///< That the GPU holds at a time.
  std::uint64_t full_waves = 0;
  std::uint64_t tail_blocks = 0;  ///< Of the last wave, where it is not full; else 0.
  double waves = 0;
  double efficiency = 0;  ///< Blocks of the grid over the blocks that as many full waves hold, 0 to 1.
};

/// Neither may be 0.
GridFit fit_grid(std::uint64_t blocks, std::uint64_t blocks_per_wave);

/// Clusters that a GPU holds at a time, their blocks being anywhere in one GPC.
///
/// The SMs are taken to be spread over the GPCs as evenly as pairs of SMs (TPCs) can be; where the number of
/// GPCs is not known, over one, which bounds the figure from above. Chips of one model differ in which SMs
/// are disabled.
std::uint64_t max_active_clusters(std::uint32_t sms, std::uint32_t gpcs, std::uint32_t blocks_per_sm,
                                  std::uint64_t cluster_blocks);

}  // namespace heddle::sim
