// What passes between an SM and the memory that all SMs share.
#pragma once

#include <cstddef>
#include <cstdint>

#include "isa/base/types.h"

namespace heddle::sim {

/// The level that had what was asked for: the nearer to the SM, the lower.
enum class MemoryLevel : std::uint8_t { L1, L2, Dram };
inline constexpr std::size_t kMemoryLevels = 3;

/// A request leaves an SM with a time stamp. All requests are served in the order (time, SM, sequence), so
/// that when they are served does not depend on how long the SMs run apart.
struct MemoryRequest {
  Cycle time = 0;  ///< When it leaves the SM.
  SmId sm = 0;
  std::uint32_t tag = 0;  ///< The SM's own name for it, given back with the reply.
  Addr line = 0;
  std::uint32_t sectors = 0;
  bool is_store = false;  ///< Stores are not answered.
  std::uint8_t grid = 0;  ///< The slot of the grid that asks.
  /// An atomic's most lanes that name one address; 0: no atomic. If it is a store, too, nobody waits for its
  /// result.
  std::uint16_t atomic_lanes = 0;
  std::uint16_t atomic_addresses = 0;  ///< How many addresses its lanes name.
  bool is_prefetch = false;            ///< Answered, but nobody waits for it.
  bool is_fence = false;  ///< Answered, without data, when all that came before it has been served.
  /// Cycles by which the reply comes later because the SM's TLB missed the page; see translations.h.
  std::uint16_t translation = 0;
  std::uint16_t warp = 0;  ///< The slot of the warp that asks.
  Pc pc = 0;               ///< The instruction that asks.
};

/// The answer to a request, with the data of a load or an atomic. The exchange puts it into the SM's inbox.
struct MemoryReply {
  Cycle time = 0;  ///< When the data reach the SM.
  std::uint32_t tag = 0;
  std::uint16_t sectors = 0;            ///< How many come.
  MemoryLevel level = MemoryLevel::L2;  ///< The furthest from the SM that had some of them.
};

}  // namespace heddle::sim
