// How far apart a compiler has put instructions that depend on one another, by its control codes, beside the
// latencies of a GPU file: NVIDIA's compiler knows its GPUs' latencies, and hardware trusts it.
//
// A value with a write barrier must be waited for by that barrier before it is read. One without must be
// there when the stall counts in between have passed: their sum, along the shortest path, is the distance.
// What is looked at is values that are read; that a register is overwritten too soon is not.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "isa/ir/kernel.h"
#include "isa/ir/timing_class.h"
#include "sim/sm/class_timings.h"

namespace heddle::dependences {

/// Dependences that are alike.
struct Kind {
  ir::TimingClass producer = ir::TimingClass::Nop;
  ir::TimingClass consumer = ir::TimingClass::Nop;
  bool is_guard = false;  ///< A predicate that the consumer has as its guard.

  friend auto operator<=>(const Kind&, const Kind&) = default;
};

/// All dependences of a kind whose producers have no barrier.
struct Distances {
  std::uint64_t count = 0;
  unsigned least = ~0U;        ///< The least distance, in cycles.
  std::uint64_t at_least = 0;  ///< How many have that distance.
  unsigned latency = 0;        ///< Cycles that the GPU file says.
  std::uint64_t early = 0;     ///< How many are nearer than that: the value would not be there.
  std::string place;           ///< One of the nearest: "kernel 0x0120 of 0x0100".
};

/// What was found.
struct Census {
  std::map<Kind, Distances> distances;
  std::uint64_t guarded = 0;           ///< Dependences with a barrier that is waited for.
  std::vector<std::string> unguarded;  ///< Those with a barrier that no path, or not every one, waits for.

  [[nodiscard]] std::uint64_t checked() const;
  [[nodiscard]] std::uint64_t early() const;
};

/// Distances beyond this are not told apart: no fixed latency is as long.
inline constexpr unsigned kFarthest = 63;

/// Adds the dependences of a kernel. A dependence is a producer, a consumer, and a register or predicate.
/// Where there are no control codes, there is nothing to be added.
void add_dependences(const ir::Kernel& kernel, const sim::ClassTimings& timings, Census& census);

}  // namespace heddle::dependences
