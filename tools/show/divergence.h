// The picture of divergence: the masks of one warp, the work on its paths, and what launches gain on each
// other.
#pragma once

#include <string>
#include <vector>

#include "tools/report/summary.h"
#include "tools/show/masks.h"
#include "tools/show/picture.h"

namespace heddle::show {

/// One launch and the warp that is shown of it.
struct ShownWarp {
  std::string launch;  ///< "divergent_16_16"
  std::string gpu;
  BlockId block = 0;
  std::uint32_t warp = 0;
  WarpMasks masks;
  report::Summary run;  ///< Of all its warps.
};

/// At most `most_steps` steps of each launch; the text says how many follow. Several launches are also
/// compared by their cycles with the first one.
Picture divergence_picture(const std::vector<ShownWarp>& launches, std::size_t most_steps);

}  // namespace heddle::show
