// The pictures of memory accesses: which sectors of global memory, or which banks of shared memory, the lanes
// of a warp name.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/config/gpu_spec.h"
#include "tools/show/accesses.h"
#include "tools/show/picture.h"

namespace heddle::show {

/// The accesses of one warp of a launch.
struct ShownAccesses {
  std::string launch;
  std::string gpu;
  BlockId block = 0;
  std::uint32_t warp = 0;
  unsigned warp_size = 32;
  std::vector<Access> accesses;                     ///< At least one.
  std::function<std::string(Pc)> instruction = {};  ///< Its text.
  std::size_t chosen = 0;                           ///< Which of them is drawn.
};

/// The first of the dearest accesses.
std::size_t dearest(const std::vector<Access>& accesses);

/// Sectors that the access touches, by the coalescer of the timing model.
std::uint64_t sectors_of(const Access& access, const sim::GpuSpec& spec);
/// The fewest sectors that hold as many bytes.
std::uint64_t fewest_sectors(const Access& access, const sim::GpuSpec& spec);
/// Passes over the banks that the access takes, by the timing model.
std::uint64_t passes_of(const Access& access, const sim::GpuSpec& spec);

/// Lanes above, the sectors that they touch below, a line from each lane to its sector.
Picture coalescing_picture(const ShownAccesses& shown, const sim::GpuSpec& spec);
/// Banks side by side; in each pass over them, which lane each bank serves.
Picture banks_picture(const ShownAccesses& shown, const sim::GpuSpec& spec);

}  // namespace heddle::show
