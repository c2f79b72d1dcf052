// When something is ready, and what the one who waits for it is stalled by, in one comparable word.
#pragma once

#include <bit>
#include <cstdint>

#include "isa/base/types.h"
#include "isa/ir/stall_reason.h"
#include "sim/config/gpu_spec.h"

namespace heddle::sim {

/// How much later than the unit that made a result some instructions can use it, by its origin. Origins are
/// numbered from 1 on; results of origin 0 are there for all at the same time.
class Crossing {
 public:
  static constexpr unsigned kOrigins = 4;

  /// At most kMostCrossing. Once for an origin.
  constexpr void set(unsigned origin, Cycle cycles) {
    bits_ |= (cycles & kMostCrossing) << (kCycleShift + shift_of(origin));
  }

 private:
  friend class Stamp;
  static constexpr unsigned kShiftBits = 6;    // of a stamp: as many as a shift by it looks at
  static constexpr unsigned kCycleShift = 11;  // where a stamp has its cycle
  static constexpr unsigned kOriginBits = 6;   // apart, one origin's cycles from the next one's
  static constexpr unsigned shift_of(unsigned origin) { return kOriginBits * origin; }
  static_assert(std::has_single_bit(kMostCrossing + 1));  // it is a mask
  static_assert(kOriginBits * kOrigins < 1U << kShiftBits);
  static_assert(kCycleShift + kOriginBits * kOrigins + std::bit_width(kMostCrossing) <= 64);

  std::uint64_t bits_ = 0;  // shifted by what a stamp says, the cycles lie where it has its own
};

/// The later of two stamps is the greater; of two at the same cycle, the one whose reason comes later in
/// stall_reasons.def, then the one of the later origin. A stamp whose cycle is not known yet is later than
/// all that are. Cycles are below 2^53 - 1.
class Stamp {
 public:
  constexpr Stamp() = default;
  constexpr Stamp(Cycle cycle, ir::StallReason reason, unsigned origin = 0)
      : bits_(cycle << kCycleShift | static_cast<std::uint64_t>(reason) << Crossing::kShiftBits |
              Crossing::shift_of(origin)) {}

  /// Ready at a cycle that only the memory system knows.
  static constexpr Stamp pending(ir::StallReason reason) { return {kPendingCycle, reason}; }

  [[nodiscard]] constexpr Cycle cycle() const { return bits_ >> kCycleShift; }
  [[nodiscard]] constexpr ir::StallReason reason() const {
    return static_cast<ir::StallReason>(bits_ >> Crossing::kShiftBits & ((1U << kReasonBits) - 1));
  }
  [[nodiscard]] constexpr bool is_pending() const { return cycle() == kPendingCycle; }

  /// The same so many cycles later.
  [[nodiscard]] constexpr Stamp after(Cycle cycles) const {
    Stamp later = *this;
    later.bits_ += cycles << kCycleShift;
    return later;
  }

  /// For instructions that it has to cross to. Every issue asks for four: no branch, and no look at a table.
  [[nodiscard]] constexpr Stamp across(Crossing crossing) const {
    constexpr std::uint64_t kMask = Cycle{kMostCrossing} << kCycleShift;
    Stamp later = *this;
    later.bits_ += crossing.bits_ >> (bits_ & ((1U << Crossing::kShiftBits) - 1)) & kMask;
    return later;
  }

  friend constexpr auto operator<=>(const Stamp&, const Stamp&) = default;

 private:
  static constexpr unsigned kReasonBits = 5;
  static constexpr unsigned kCycleShift = Crossing::kCycleShift;
  static constexpr Cycle kPendingCycle = kNever >> kCycleShift;
  static_assert(kCycleShift == kReasonBits + Crossing::kShiftBits);

  std::uint64_t bits_ = 0;
};

/// By value, so that compilers make no branch of it.
constexpr Stamp later_of(Stamp a, Stamp b) { return a < b ? b : a; }

static_assert(ir::kStallReasons <= 32);

}  // namespace heddle::sim
