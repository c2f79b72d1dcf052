// The execution pipes of a sub-partition: when each of them is free.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "isa/base/types.h"
#include "sim/config/gpu_spec.h"

namespace heddle::sim {

/// Where instructions run: in the first of these pipes that is free. Of no pipes, nobody asks when one is.
struct PipeChoice {
  std::uint8_t count = 0;
  std::array<std::uint8_t, kMostPipesOfClass> order{};  // the only one stands twice: two can always be read

  PipeChoice() = default;
  explicit PipeChoice(std::span<const std::uint8_t> pipes) : count(static_cast<std::uint8_t>(pipes.size())) {
    std::copy(pipes.begin(), pipes.end(), order.begin());
    if (count == 1) order[1] = order[0];
  }

  friend bool operator==(const PipeChoice&, const PipeChoice&) = default;
};

static_assert(kMostPipesOfClass >= 2);

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
