// What passes between an SM and the memory that all SMs share.
#pragma once

#include <cstdint>

#include "isa/base/types.h"

namespace heddle::sim {

/// A request leaves an SM with a time stamp. All requests are served in the order (time, SM, sequence), so
/// that when they are served does not depend on how long the SMs run apart.
struct MemoryRequest {
  Cycle time = 0;  ///< When it leaves the SM.
  SmId sm = 0;
  std::uint32_t tag = 0;  ///< The SM's own name for it, given back with the reply.
  Addr line = 0;
  std::uint32_t sectors = 0;
  bool is_store = false;           ///< Stores are not answered.
  std::uint8_t grid = 0;           ///< The slot of the grid that asks.
  /// Of an update in place: the most lanes that name one address. A store then is one that nobody waits for.
  std::uint16_t atomic_lanes = 0;
  std::uint16_t atomic_addresses = 0;  ///< And how many addresses they name.
  bool is_prefetch = false;  ///< Answered, but nobody waits for it.
  bool is_fence = false;  ///< Answered, without data, when all that came before it has been served.
  /// Cycles by which the reply comes later, because the SM did not know the page.
  std::uint16_t translation = 0;
  std::uint16_t warp = 0;  ///< The slot of the warp that asks,
  Pc pc = 0;               ///< and the instruction by which it does.
};

struct MemoryReply {
  Cycle time = 0;  ///< When the data reach the SM.
  std::uint32_t tag = 0;
  std::uint32_t sectors = 0;  ///< How many come.
};

}  // namespace heddle::sim
