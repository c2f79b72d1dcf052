// Timing classes and the stall reasons they cause in those who wait for them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "isa/ir/stall_reason.h"

namespace heddle::ir {

/// Instructions that a GPU treats alike: a GPU file gives each class its pipe, issue interval and latency.
enum class TimingClass : std::uint8_t {
#define TIMING_CLASS(name, ...) name,
#include "isa/ir/timing_classes.def"
#undef TIMING_CLASS
  kCount
};

inline constexpr std::size_t kTimingClasses = static_cast<std::size_t>(TimingClass::kCount);

/// What kind of unit runs a class on NVIDIA's GPUs.
enum class Unit : std::uint8_t { Fma, Alu, Fp16, Fp64, Tensor, Special, Control, Memory };

/// A row of timing_classes.def.
struct TimingClassInfo {
  std::string_view key;  ///< Its name in GPU files.
  Unit unit;
  StallReason waiter_stall;  ///< Why a warp that needs the result does not issue.
  StallReason throttle;      ///< Why a warp whose turn it is finds no room for it.
  std::string_view summary;

  /// Whether it goes through the MIO queue to the stage that the sub-partitions share.
  [[nodiscard]] constexpr bool uses_mio() const { return unit == Unit::Memory; }
};

inline constexpr std::array<TimingClassInfo, kTimingClasses> kTimingClassTable = {{
#define TIMING_CLASS(name, key, unit, waiter, throttle, summary) \
  {key, Unit::unit, StallReason::waiter, StallReason::throttle, summary},
#include "isa/ir/timing_classes.def"
#undef TIMING_CLASS
}};

constexpr const TimingClassInfo& info(TimingClass timing_class) {
  return kTimingClassTable[static_cast<std::size_t>(timing_class)];
}

}  // namespace heddle::ir
