// When something is ready, and what the one who waits for it is stalled by, in one comparable word.
#pragma once

#include <cstdint>

#include "isa/base/types.h"
#include "isa/ir/stall_reason.h"

namespace heddle::sim {

/// The later of two stamps is the greater; of two at the same cycle, the one whose reason comes later in
/// stall_reasons.def. A stamp whose cycle is not known yet is later than all that are.
class Stamp {
 public:
  constexpr Stamp() = default;
  constexpr Stamp(Cycle cycle, ir::StallReason reason) : bits_(cycle << kReasonBits | static_cast<std::uint64_t>(reason)) {}

  /// Ready at a cycle that only the memory system knows.
  static constexpr Stamp pending(ir::StallReason reason) { return {kPendingCycle, reason}; }

  [[nodiscard]] constexpr Cycle cycle() const { return bits_ >> kReasonBits; }
  [[nodiscard]] constexpr ir::StallReason reason() const {
    return static_cast<ir::StallReason>(bits_ & ((1U << kReasonBits) - 1));
  }
  [[nodiscard]] constexpr bool is_pending() const { return cycle() == kPendingCycle; }

  /// The same so many cycles later.
  [[nodiscard]] constexpr Stamp after(Cycle cycles) const {
    Stamp later = *this;
    later.bits_ += cycles << kReasonBits;
    return later;
  }

  friend constexpr auto operator<=>(const Stamp&, const Stamp&) = default;

 private:
  static constexpr unsigned kReasonBits = 5;
  static constexpr Cycle kPendingCycle = kNever >> kReasonBits;

  std::uint64_t bits_ = 0;
};

/// By value, so that compilers make no branch of it.
constexpr Stamp later_of(Stamp a, Stamp b) { return a < b ? b : a; }

static_assert(ir::kStallReasons <= 32);

}  // namespace heddle::sim
