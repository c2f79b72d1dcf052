#include "sim/occupancy/grid.h"

#include <algorithm>

#include "isa/base/types.h"

namespace heddle::sim {

GridFit fit_grid(std::uint64_t blocks, std::uint64_t blocks_per_wave) {
  GridFit fit{blocks, blocks_per_wave, blocks / blocks_per_wave, blocks % blocks_per_wave};
  fit.waves = static_cast<double>(blocks) / static_cast<double>(blocks_per_wave);
  const std::uint64_t begun = fit.full_waves + (fit.tail_blocks > 0 ? 1 : 0);
  fit.efficiency = fit.waves / static_cast<double>(begun);
  return fit;
}

std::uint64_t max_active_clusters(std::uint32_t sms, std::uint32_t gpcs, std::uint32_t blocks_per_sm,
                                  std::uint64_t cluster_blocks) {
  const std::uint64_t parts = std::max(gpcs, 1u);
  const std::uint64_t pairs = divide_up(sms, 2);
  std::uint64_t clusters = 0;
  std::uint64_t left = sms;
  for (std::uint64_t gpc = 0; gpc < parts; ++gpc) {
    const std::uint64_t of_gpc = std::min(left, 2 * (pairs / parts + (gpc < pairs % parts ? 1 : 0)));
    left -= of_gpc;
    clusters += of_gpc * blocks_per_sm / cluster_blocks;
  }
  return clusters;
}

}  // namespace heddle::sim
