// What L2 holds when a kernel starts: nothing, or what copies from the host and the kernels before it have
// left there.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/base/types.h"
#include "sim/memory/tag_array.h"

namespace heddle::sim {

/// Goes from run to run on one GPU.
struct L2Contents {
  /// Copied to device memory since the last run: its lines come to lie in L2, as far as they fit, and are not
  /// dirty. That is a choice: nothing is published about where copy engines leave data.
  struct Copy {
    Addr begin = 0;
    std::uint64_t bytes = 0;
  };

  std::vector<TagArray> tags;  ///< One a slice; empty before the first run.
  std::vector<Copy> copies;
};

}  // namespace heddle::sim
