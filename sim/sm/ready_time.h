// A ready time: the cycle in which a result can be used, and the stall reason of those who wait for it, in
// one word that can be compared.
#pragma once

#include <bit>
#include <cstdint>

#include "isa/base/types.h"
#include "isa/ir/stall_reason.h"
#include "sim/config/gpu_spec.h"

namespace heddle::sim {

/// The bypass delays of a class of instructions: how many cycles later than in the unit that made it a result
/// can be used by them, for each origin of results. Origins are numbered from 1 on; results of origin 0 have
/// no delay.
class BypassDelays {
 public:
  static constexpr unsigned kOrigins = 5;

  /// At most kMostBypassDelay. Once for an origin.
  constexpr void set(unsigned origin, Cycle cycles) {
    bits_ |= (cycles & kMostBypassDelay) << (kCycleShift + shift_of(origin));
  }

 private:
  friend class ReadyTime;
  static constexpr unsigned kShiftBits = 6;    // bits of a ready time that a shift by it looks at
  static constexpr unsigned kCycleShift = 11;  // where a ready time has its cycle
  static constexpr unsigned kOriginBits = 6;   // apart, one origin's cycles from the next one's
  static constexpr unsigned shift_of(unsigned origin) { return kOriginBits * origin; }
  static_assert(std::has_single_bit(kMostBypassDelay + 1));  // it is a mask
  static_assert(kOriginBits * kOrigins < 1U << kShiftBits);
  static_assert(kCycleShift + kOriginBits * kOrigins + std::bit_width(kMostBypassDelay) <= 64);

  std::uint64_t bits_ = 0;  // shifted by what a ready time says, the cycles lie where it has its own
};

/// The later of two ready times is the greater; of two at the same cycle, the one whose reason comes later in
/// stall_reasons.def, then the one of the later origin. A ready time whose cycle is not known yet is later
/// than all that are. Cycles are below 2^53 - 1.
class ReadyTime {
 public:
  constexpr ReadyTime() = default;
  constexpr ReadyTime(Cycle cycle, ir::StallReason reason, unsigned origin = 0)
      : bits_(cycle << kCycleShift | static_cast<std::uint64_t>(reason) << BypassDelays::kShiftBits |
              BypassDelays::shift_of(origin)) {}

  /// Ready at a cycle that only the memory system knows.
  static constexpr ReadyTime pending(ir::StallReason reason) { return {kPendingCycle, reason}; }

  [[nodiscard]] constexpr Cycle cycle() const { return bits_ >> kCycleShift; }
  [[nodiscard]] constexpr ir::StallReason reason() const {
    return static_cast<ir::StallReason>(bits_ >> BypassDelays::kShiftBits & ((1U << kReasonBits) - 1));
  }
  [[nodiscard]] constexpr bool is_pending() const { return cycle() == kPendingCycle; }

  /// The same so many cycles later.
  [[nodiscard]] constexpr ReadyTime after(Cycle cycles) const {
    ReadyTime later = *this;
    later.bits_ += cycles << kCycleShift;
    return later;
  }

  /// For instructions that it has to cross to. Every issue asks for four: no branch, and no look at a table.
  [[nodiscard]] constexpr ReadyTime across(BypassDelays bypass) const {
    constexpr std::uint64_t kMask = Cycle{kMostBypassDelay} << kCycleShift;
    ReadyTime later = *this;
    later.bits_ += bypass.bits_ >> (bits_ & ((1U << BypassDelays::kShiftBits) - 1)) & kMask;
    return later;
  }

  friend constexpr auto operator<=>(const ReadyTime&, const ReadyTime&) = default;

 private:
  static constexpr unsigned kReasonBits = 5;
  static constexpr unsigned kCycleShift = BypassDelays::kCycleShift;
  static constexpr Cycle kPendingCycle = kNever >> kCycleShift;
  static_assert(kCycleShift == kReasonBits + BypassDelays::kShiftBits);

  std::uint64_t bits_ = 0;
};

/// By value, so that compilers make no branch of it.
constexpr ReadyTime later_of(ReadyTime a, ReadyTime b) { return a < b ? b : a; }

static_assert(ir::kStallReasons <= 32);

}  // namespace heddle::sim
