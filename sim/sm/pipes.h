// The execution pipes of a sub-partition: when each of them is free.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "isa/base/types.h"
#include "sim/sm/class_timings.h"

namespace heddle::sim {

class Pipes {
 public:
  /// When the first of them is free. Mostly they are one or two: no branch to be mistaken in.
  [[nodiscard]] Cycle free_at(const PipeChoice& choice) const {
    Cycle first = std::min(free_at_[choice.order[0]], free_at_[choice.order[1]]);
    for (std::size_t i = 2; i < choice.count; ++i) first = std::min(first, free_at_[choice.order[i]]);
    return first;
  }
  [[nodiscard]] Cycle free_at(std::uint8_t pipe) const { return free_at_[pipe]; }
  /// Of those that are free at `now`, the first; there is one.
  [[nodiscard]] std::uint8_t first_free(const PipeChoice& choice, Cycle now) const {
    const std::uint8_t* pipe = choice.order.data();
    while (free_at_[*pipe] > now) ++pipe;
    return *pipe;
  }

  /// Nothing else starts in the pipe before `until`.
  void take(std::uint8_t pipe, Cycle until) { free_at_[pipe] = until; }
  /// Nothing starts in any pipe before `until`.
  void hold_all(Cycle until) {
    for (Cycle& free_at : free_at_) free_at = std::max(free_at, until);
  }

 private:
  std::array<Cycle, kMostPipes + 1> free_at_{};
};

}  // namespace heddle::sim
