// An mbarrier of compute capability 9.0, as it lies in shared memory: 64 bits.
//
//   bits 1 to 20   2^20 less the arrivals that end a phase
//   bits 21 to 42  bytes that are announced and have not come, a signed number
//   bits 43 to 62  2^20 less the arrivals that the phase still waits for; 0: it waits for none
//   bit 63         the phase's parity
//
// A phase is over when no arrival and no byte is awaited. Sources: PTX ISA, mbarrier, for what happens; ptxas 13.0 for
// the bits, which it sets (mbarrier.init) and reads (mbarrier.pending_count), but for those of the bytes, which no program
// sees: they are where room is left.
#pragma once

#include <cstdint>

namespace heddle::exec {

/// What lanes do to an mbarrier.
struct MbarrierChange {
  std::uint32_t arrivals = 0;
  bool departs = false;    ///< Who arrives will not again: later phases wait for so many fewer.
  std::int64_t bytes = 0;  ///< So many more must come; negative: have come.
};

/// What the mbarrier is after the change. More arrivals than are awaited count as those that are.
std::uint64_t changed_mbarrier(std::uint64_t word, const MbarrierChange& change);

/// The arrivals that end a phase.
std::uint32_t expected_arrivals(std::uint64_t word);

/// Whether the phase of this parity is over: another one is under way.
constexpr bool is_phase_over(std::uint64_t word, bool parity) { return (word >> 63 != 0) != parity; }

}  // namespace heddle::exec
