// The constant cache of an SM, for the constants that a kernel declares (bank 3). Those of the launch itself
// (bank 0) are taken to be there when the first warp starts.
//
// A line that is not there comes miss_latency after it was first asked for; who asks meanwhile waits for the
// same one. How many can be on their way at once is not limited.
#pragma once

#include <cstdint>

#include "isa/base/types.h"
#include "sim/config/gpu_spec.h"
#include "sim/memory/tag_array.h"

namespace heddle::sim {

class ConstantCache {
 public:
  explicit ConstantCache(const ConstantSpec& spec);

  /// When the byte's line is there, `now` if it is; asks for it if nobody has. Counts as a use.
  Cycle ready(std::uint64_t offset, Cycle now);

  /// When lanes that name different words have them all: `now` if they name one, and that is there; each
  /// further word takes address_interval. `is_cached`: the bank is behind this cache.
  Cycle ready(const Addr* offsets, LaneMask lanes, bool is_cached, Cycle now);

 private:
  ConstantSpec spec_;
  TagArray tags_;
};

}  // namespace heddle::sim
