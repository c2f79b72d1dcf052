// The list of all twins.
#pragma once

#include <vector>

#include "tools/hardware/kit/twin.h"

namespace kit {

/// One row of twins.def.
struct TwinEntry {
  const char* launch;
  Twin (*make)(Values&);
};

const std::vector<TwinEntry>& twins();

/// One row of points.def: parameters for a second measurement of a launch.
struct PointEntry {
  const char* launch;
  Values::List given;
};

const std::vector<PointEntry>& extra_points();

}  // namespace kit
