// What the lane addresses of a memory instruction have in common. The usual patterns are recognised here
// once, for those who execute, coalesce or count bank conflicts.
#pragma once

#include <algorithm>
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

/// What is known of a set of lane addresses without looking at each. The less it says, the more work has who
/// reads them; what comes of it is the same.
struct LaneSpan {
  Addr least = 0;            ///< No lane names less,
  Addr greatest = ~Addr{0};  ///< nor more.
  bool consecutive = false;  ///< Only where are_consecutive().
};

inline LaneSpan span_of(const Addr* addresses, LaneMask mask, std::uint32_t bytes) {
  LaneSpan span = {~Addr{0}, 0, are_consecutive(addresses, mask, bytes)};
  for_each_lane(mask, [&](unsigned lane) {
    span.least = std::min(span.least, addresses[lane]);
    span.greatest = std::max(span.greatest, addresses[lane]);
  });
  return span;
}

/// What the lanes of a memory instruction name: `bytes` from each lane's address.
struct LaneAccess {
  const Addr* addresses = nullptr;  ///< By lane, valid for those of `lanes`.
  LaneMask lanes = 0;
  std::uint32_t bytes = 0;
  LaneSpan span = {};
};

/// Calls f(first, last) for each stretch of bytes, in the order of the lanes: one that begins where the lane
/// before it ends lengthens its stretch, and one that names the same again adds nothing.
template <typename F>
void for_each_stretch(const LaneAccess& access, F&& f) {
  if (access.lanes == 0) return;
  Addr first = access.addresses[first_lane(access.lanes)];
  Addr end = first + access.bytes;
  for_each_lane(access.lanes & (access.lanes - 1), [&](unsigned lane) {
    const Addr address = access.addresses[lane];
    if (address + access.bytes == end) return;
    if (address != end) {
      f(first, end - 1);
      first = address;
    }
    end = address + access.bytes;
  });
  f(first, end - 1);
}

inline LaneAccess lane_access(const Addr* addresses, LaneMask lanes, std::uint32_t bytes) {
  return {addresses, lanes, bytes, span_of(addresses, lanes, bytes)};
}

/// Where local memory lies for who looks at addresses only: windows of warps from here on, below all that a
/// GPU gives to programs.
inline constexpr Addr kLocalMemory = Addr{1} << 40;

/// Where a thread's local memory lies in its warp's window: word by word between that of the warp's other
/// threads, so that one offset in all of them is one stretch of addresses; wider data likewise, in pieces of
/// their own size.
constexpr Addr local_place(Addr in_thread, std::uint32_t bytes, unsigned lane, unsigned lanes) {
  const Addr piece = std::max<Addr>(bytes, 4);
  return in_thread / piece * piece * lanes + lane * piece + in_thread % piece;
}

}  // namespace heddle
