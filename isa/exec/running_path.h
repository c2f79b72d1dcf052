// The lanes of a warp that run now, and what is said of the others.
#pragma once

#include "isa/base/types.h"

namespace heddle::exec {

inline constexpr Pc kNowhere = ~Pc{0};

/// The path that runs. Where no lane of it is left though some live, the warp is stuck for good.
struct RunningPath {
  Pc pc = 0;
  Pc reconvergence = kNowhere;  ///< Where its lanes stop for others.
  LaneMask lanes = 0;
  LaneMask live = 0;  ///< Lanes of the warp that have not exited, on this path and on others.

  friend bool operator==(const RunningPath&, const RunningPath&) = default;
};

/// Some lanes, and where they go on.
struct BranchTarget {
  Pc pc = 0;
  LaneMask lanes = 0;
};

/// Lanes that stand still at an instruction until others come.
struct Wait {
  LaneMask lanes = 0;
  Pc pc = 0;
  LaneMask awaited = 0;
};

}  // namespace heddle::exec
