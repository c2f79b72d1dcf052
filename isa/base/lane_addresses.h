// Properties of the lane addresses of a memory instruction. Execution, coalescing and counting of bank
// conflicts all use them, so the common patterns are recognized once, here.
#pragma once

#include <algorithm>
#include <cstdint>

#include "isa/base/types.h"

namespace heddle {

/// Whether the lanes of `mask` are neighbours that access neighbouring elements of `bytes` each, in order.
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

/// A summary of lane addresses that saves looking at each of them. A less precise summary costs time but does
/// not change the result.
struct LaneSpan {
  Addr least = 0;            ///< At most the least address.
  Addr greatest = ~Addr{0};  ///< At least the greatest address.
  bool consecutive = false;  ///< True only if are_consecutive().
};

inline LaneSpan span_of(const Addr* addresses, LaneMask mask, std::uint32_t bytes) {
  LaneSpan span = {~Addr{0}, 0, are_consecutive(addresses, mask, bytes)};
  for_each_lane(mask, [&](unsigned lane) {
    span.least = std::min(span.least, addresses[lane]);
    span.greatest = std::max(span.greatest, addresses[lane]);
  });
  return span;
}

/// The addresses of a memory instruction: each lane accesses `bytes` from its address.
struct LaneAccess {
  const Addr* addresses = nullptr;  ///< By lane; valid for `lanes`.
  LaneMask lanes = 0;
  std::uint32_t bytes = 0;
  LaneSpan span = {};
};

/// Calls f(first, last) for each run of bytes, in lane order. A lane that continues where the lane before
/// ended extends the run; a lane with the same address as the one before adds nothing.
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

/// Start of the windows of local memory for code that sees only addresses. Each warp has a window; all lie
/// below any address that a GPU gives to programs.
inline constexpr Addr kLocalMemory = Addr{1} << 40;

/// The position of a thread's local memory in the window of its warp. The words of a warp's threads are
/// interleaved, so that the same offset in all threads is one contiguous run; wider data are interleaved in
/// units of their own size.
constexpr Addr local_place(Addr in_thread, std::uint32_t bytes, unsigned lane, unsigned lanes) {
  const Addr piece = std::max<Addr>(bytes, 4);
  return in_thread / piece * piece * lanes + lane * piece + in_thread % piece;
}

}  // namespace heddle
