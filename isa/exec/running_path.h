// The running path of a warp, and how branches and waits of other lanes are described.
#pragma once

#include "isa/base/types.h"

namespace heddle::exec {

inline constexpr Pc kNowhere = ~Pc{0};

/// The path that runs. If it has no lane though some live, the warp is stuck for good.
struct RunningPath {
  Pc pc = 0;
  Pc reconvergence = kNowhere;  ///< Where its lanes wait for others.
  LaneMask lanes = 0;
  LaneMask live = 0;  ///< Lanes of the warp that have not exited, on this path and on others.

  friend bool operator==(const RunningPath&, const RunningPath&) = default;
};

/// The lanes of a branch that go to one target.
struct BranchTarget {
  Pc pc = 0;
  LaneMask lanes = 0;
};

/// Lanes that wait at an instruction until the awaited ones come.
struct Wait {
  LaneMask lanes = 0;
  Pc pc = 0;
  LaneMask awaited = 0;
};

}  // namespace heddle::exec
