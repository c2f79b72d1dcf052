// When the results of each class of instructions can be used, and by whom.
#pragma once

#include <array>
#include <cstddef>

#include "isa/ir/timing_class.h"
#include "sim/config/gpu_spec.h"
#include "sim/sm/stamp.h"

namespace heddle::sim {

/// When the results of a class can be used.
struct ResultTimes {
  bool is_told_later = false;  ///< By the load/store unit; else:
  Stamp result;                ///< After an issue at 0, as operands of the same unit,
  Stamp guard;                 ///< and as guards.
};

class ResultTable {
 public:
  explicit ResultTable(const SmSpec& spec);

  [[nodiscard]] const ResultTimes& times(ir::TimingClass timing_class) const {
    return times_[static_cast<std::size_t>(timing_class)];
  }
  /// How much longer instructions of the class wait for results of other units.
  [[nodiscard]] Crossing crossing(ir::TimingClass timing_class) const {
    return crossings_[static_cast<std::size_t>(timing_class)];
  }

 private:
  std::array<ResultTimes, ir::kTimingClasses> times_;
  std::array<Crossing, ir::kTimingClasses> crossings_;
};

}  // namespace heddle::sim
