// What the lane addresses of a memory instruction have in common. The usual patterns are recognised here
// once, for those who execute, coalesce or count bank conflicts.
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
  for (unsigned i = 0; i < count; ++i)
    difference |= addresses[first + i] - addresses[first] - Addr{i} * bytes;
  return difference == 0;
}

/// Whether the words of neighbouring lanes of `mask` lie `step` apart (modulo 2^32).
inline bool have_step(const std::uint32_t* row, LaneMask mask, std::uint32_t step) {
  const unsigned first = first_lane(mask);
  const unsigned count = lane_count(mask);
  if (mask >> first != first_lanes(count)) return false;
  std::uint32_t difference = 0;
  for (unsigned i = 0; i < count; ++i) difference |= row[first + i] - row[first] - i * step;
  return difference == 0;
}

/// What the lanes of a memory instruction name: `bytes` from each lane's address.
struct LaneAccess {
  const Addr* addresses = nullptr;  ///< By lane, valid for those of `lanes`.
  LaneMask lanes = 0;
  std::uint32_t bytes = 0;
  bool consecutive =
      false;  ///< Only where are_consecutive(). Where it is said, all that follows costs little.
};

inline LaneAccess lane_access(const Addr* addresses, LaneMask lanes, std::uint32_t bytes) {
  return {addresses, lanes, bytes, are_consecutive(addresses, lanes, bytes)};
}

}  // namespace heddle
