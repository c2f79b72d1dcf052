// The twins that there are.
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

}  // namespace kit
