// The addresses of a memory instruction's lanes, and their loads: vectorised for the host.
//
// A row has one 32-bit word for each of `lanes` lanes, 16, 32 or 64 (semantics.h). Addresses (places) are
// computed for all lanes of a row; only those of lanes that execute count.
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

/// Neighbouring lanes that name the same place, or consecutive places.
struct LaneStrip {
  unsigned first = 0;          ///< The first lane.
  unsigned count = 0;          ///< How many lanes follow one another, the first one included.
  std::uint32_t distance = 0;  ///< That first lane's, as in LaneShape::distances.
  std::uint32_t step = 0;      ///< From lane to lane: 0, or what a lane asks for.
};

/// The strips of all lanes that execute, if they are few; otherwise none.
struct LaneStrips {
  static constexpr unsigned kMost = 4;

  std::array<LaneStrip, kMost> list{};
  unsigned count = 0;
};

/// A shape: how the places of the lanes lie relative to that of the first lane that executes. In loops an
/// access mostly has the shape that it had before, at another address; then what was found out of the shape
/// holds again.
struct LaneShape {
  /// The distance from the first lane's place to each lane's, modulo 2^32.
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

/// Shapes that no access has had yet. Shape i takes the numbers i, i + kLaneShapes and so on.
inline std::array<LaneShape, kLaneShapes> numbered_shapes() {
  std::array<LaneShape, kLaneShapes> shapes;
  for (unsigned i = 0; i < kLaneShapes; ++i) shapes[i].number = i;
  return shapes;
}

/// Computes 32-bit addresses: places[i] = row[i] + offset for lane i, modulo 2^32. `mask` is not empty,
/// `bytes` a power of 2. It is quicker if the access has this shape; if not, `shape` becomes the access's.
LanePlaces place_near(const std::uint32_t* row, std::uint32_t offset, LaneMask mask, unsigned bytes,
                      unsigned lanes, Addr* places, LaneShape& shape);

/// Computes 64-bit addresses from two adjacent rows, the low words first.
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
