// Where the lanes of an access lie.
#pragma once

#include "isa/base/types.h"

namespace heddle::exec {

/// The least and the greatest address of the lanes, and whether all are multiples of `bytes`.
struct Extent {
  Addr least = ~Addr{0};
  Addr greatest = 0;
  bool aligned = true;
  bool consecutive = false;
};

}  // namespace heddle::exec
