// What the lane addresses of a memory instruction have in common. The usual patterns are recognised here once, for
// those who execute, coalesce or count bank conflicts.
#pragma once

#include <cstdint>

#include "isa/base/types.h"

namespace heddle {

/// Whether the lanes of `mask` are neighbours that name neighbouring elements of `bytes`, in order.
inline bool are_consecutive(const Addr* addresses, LaneMask mask, std::uint32_t bytes) {
  if (mask == 0) return false;
  const unsigned first = first_lane(mask);
  const unsigned count = lane_count(mask);
  if (mask >> first != first_lanes(count)) return false;
  Addr difference = 0;
  for (unsigned i = 0; i < count; ++i) difference |= addresses[first + i] - addresses[first] - Addr{i} * bytes;
  return difference == 0;
}

}  // namespace heddle
