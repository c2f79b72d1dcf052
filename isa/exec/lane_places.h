// Where the lanes of a memory instruction go, and the words that they bring: vectorised for the machine at
// hand.
//
// Rows are one 32-bit word a lane (semantics.h); `lanes` of them, 16, 32 or 64. Places are computed for all
// lanes of a row, and looked at for those that take part.
#pragma once

#include <cstddef>
#include <cstdint>

#include "isa/base/lane_addresses.h"
#include "isa/base/types.h"

namespace heddle::exec {

struct LanePlaces {
  LaneSpan span;
  bool aligned = true;  ///< All are multiples of what a lane asks for.
};

/// Addresses of 32 bits: of lane i, places[i] = row[i] + offset, modulo 2^32. `mask` is not empty, `bytes` a
/// power of 2.
LanePlaces place_near(const std::uint32_t* row, std::uint32_t offset, LaneMask mask, unsigned bytes,
                      unsigned lanes, Addr* places);

/// Addresses of 64 bits, of two adjacent rows, the low words' first.
LanePlaces place_far(const std::uint32_t* rows, Addr offset, LaneMask mask, unsigned bytes, unsigned lanes,
                     Addr* places);

/// Every lane's `words` (1, 2 or 4) words at `host + (places[lane] - base)` come into as many rows.
void gather(std::uint32_t* rows, unsigned words, const std::byte* host, Addr base, const Addr* places,
            unsigned lanes);

}  // namespace heddle::exec
