// Where the lanes of a memory instruction go, and the words that they bring: vectorised for the machine at
// hand.
//
// Rows are one 32-bit word a lane (semantics.h); `lanes` of them, 16, 32 or 64. Places are computed for all
// lanes of a row, and looked at for those that take part.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "isa/base/lane_addresses.h"
#include "isa/base/types.h"

namespace heddle::exec {

/// What is known of one warp access after its lane addresses are computed: their span, their alignment, and
/// the shape that they repeat, if any.
struct LanePlaces {
  LaneSpan span;
  bool aligned = true;      ///< All are multiples of what a lane asks for.
  std::uint64_t shape = 0;  ///< The number of their shape; 0: not known.
};

/// Neighbouring lanes that name one place, or each the place behind that of the lane before it.
struct LaneStrip {
  unsigned first = 0;          ///< The first lane.
  unsigned count = 0;          ///< How many lanes follow one another, the first one included.
  std::uint32_t distance = 0;  ///< That first lane's, as in LaneShape::distances.
  std::uint32_t step = 0;      ///< From lane to lane: 0, or what a lane asks for.
};

/// All lanes that take part, if they make few strips; otherwise none.
struct LaneStrips {
  static constexpr unsigned kMost = 4;

  std::array<LaneStrip, kMost> list{};
  unsigned count = 0;
};

/// How lanes lay around the first of them that takes part. In loops they mostly lie so again, wherever that
/// one lies: then what was found out holds.
struct LaneShape {
  /// From the first lane's place to each lane's, modulo 2^32.
  alignas(64) std::array<std::uint32_t, kMaxWarpSize> distances{};
  std::uint64_t number = 0;  ///< Another with each change, and never that of another of numbered_shapes().
  LaneMask mask = 0;
  unsigned bytes = 0;
  std::uint32_t before = 0;  ///< From the least place to the first lane's.
  std::uint32_t behind = 0;  ///< From there to the greatest.
  bool consecutive = false;
  bool loads_by_strips = false;  ///< load_strips() can load it.
  LaneStrips strips;
};

inline constexpr unsigned kLaneShapes = 16;

/// Shapes that nothing lies in yet. Shape i takes the numbers i, i + kLaneShapes and so on.
inline std::array<LaneShape, kLaneShapes> numbered_shapes() {
  std::array<LaneShape, kLaneShapes> shapes;
  for (unsigned i = 0; i < kLaneShapes; ++i) shapes[i].number = i;
  return shapes;
}

/// Addresses of 32 bits: of lane i, places[i] = row[i] + offset, modulo 2^32. `mask` is not empty, `bytes` a
/// power of 2. Quicker where they lie in this shape; where they do not, it becomes theirs.
LanePlaces place_near(const std::uint32_t* row, std::uint32_t offset, LaneMask mask, unsigned bytes,
                      unsigned lanes, Addr* places, LaneShape& shape);

/// Addresses of 64 bits, of two adjacent rows, the low words' first.
LanePlaces place_far(const std::uint32_t* rows, Addr offset, LaneMask mask, unsigned bytes, unsigned lanes,
                     Addr* places);

/// Every lane that takes part loads its words: the first of them from `window + first`, the others from where
/// the shape, of which `loads_by_strips` holds, says.
void load_strips(std::uint32_t* rows, const std::byte* window, std::uint32_t first, const LaneShape& shape,
                 unsigned lanes);

/// Every lane's `words` (1, 2 or 4) words at `host + (places[lane] - base)` come into as many rows.
void gather(std::uint32_t* rows, unsigned words, const std::byte* host, Addr base, const Addr* places,
            unsigned lanes);

}  // namespace heddle::exec
