// The dependence barriers of a warp whose instructions have control codes: SB0 to SB5. Each is a counter. An
// instruction raises it when it issues, and lowers it when it has read its sources, or when its result is
// there; who waits for the barrier waits until it is zero (Huerta and others, "Analyzing Modern NVIDIA GPU
// cores", 2025, section 4.1). Times are cycles of the SM.
#pragma once

#include <array>
#include <cstdint>

#include "isa/ir/control_code.h"
#include "sim/sm/ready_time.h"

namespace heddle::sim {

/// The counters of one warp, as far as the times at which they are zero do not say it: these lie among the
/// warp's results. A time that is not known yet is pending.
class DependenceBarriers {
 public:
  /// An instruction raises the barrier up to `end`. Without it the barrier is zero at `zero`; returns when it
  /// is with it.
  ReadyTime raise(unsigned barrier, ReadyTime zero, ReadyTime end) {
    Counter& counter = counters_[barrier];
    if (!zero.is_pending()) counter.known = zero;
    if (!end.is_pending()) {
      counter.known = later_of(counter.known, end);
      return zero.is_pending() ? zero : counter.known;
    }
    ++counter.pending;
    return end;
  }

  /// One of the instructions whose end was pending lowers it at `end`. Both times are as above.
  ReadyTime lower(unsigned barrier, ReadyTime zero, ReadyTime end) {
    Counter& counter = counters_[barrier];
    counter.known = later_of(counter.known, end);
    return --counter.pending != 0 ? zero : counter.known;
  }

 private:
  struct Counter {
    std::uint32_t pending = 0;  // instructions whose end is not known
    ReadyTime known;            // when the others are done, while there are some
  };
  std::array<Counter, ir::kDependenceBarriers> counters_;
};

}  // namespace heddle::sim
