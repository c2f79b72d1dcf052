// The execution pipes of a sub-partition: when each of them is free.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "isa/base/types.h"
#include "sim/sm/class_timings.h"

namespace heddle::sim {

/// The pipes of one sub-partition, numbered as in the GPU file. An issue takes one for its interval.
class Pipes {
 public:
  /// When the first pipe of the choice is free. A choice mostly has one or two, which are read without a
  /// branch.
  [[nodiscard]] Cycle free_at(const PipeChoice& choice) const {
    Cycle first = std::min(free_at_[choice.order[0]], free_at_[choice.order[1]]);
    for (std::size_t i = 2; i < choice.count; ++i) first = std::min(first, free_at_[choice.order[i]]);
    return first;
  }
  [[nodiscard]] Cycle free_at(std::uint8_t pipe) const { return free_at_[pipe]; }
  /// The first pipe that is free at `now`. There must be one.
  [[nodiscard]] std::uint8_t first_free(const PipeChoice& choice, Cycle now) const {
    const std::uint8_t* pipe = choice.order.data();
    while (free_at_[*pipe] > now) ++pipe;
    return *pipe;
  }

  /// An instruction keeps the pipe: nothing else starts in it before `until`.
  void take(std::uint8_t pipe, Cycle until) { free_at_[pipe] = until; }
  /// Nothing starts in the pipe before `until`, busy or not.
  void hold(std::size_t pipe, Cycle until) {
    if (free_at_[pipe] >= until) return;
    Held& held = held_[pipe];
    if (free_at_[pipe] != held.until) held.busy_until = free_at_[pipe];
    held.until = free_at_[pipe] = until;
  }
  /// Nothing starts in any of the first so many pipes before `until`.
  void hold_first(std::size_t pipes, Cycle until) {
    for (std::size_t pipe = 0; pipe < pipes; ++pipe) hold(pipe, until);
  }
  /// For how many cycles from `now` on the pipe's last instruction is still in it.
  [[nodiscard]] Cycle busy_beyond(std::size_t pipe, Cycle now) const {
    const Held& held = held_[pipe];
    const Cycle busy_until = free_at_[pipe] == held.until ? held.busy_until : free_at_[pipe];
    return std::max(busy_until, now) - now;
  }

 private:
  /// A pipe that is held back though its last instruction may have left it before.
  struct Held {
    Cycle until = 0;
    Cycle busy_until = 0;  // before that
  };

  std::array<Cycle, kMostPipes + 1> free_at_{};
  std::vector<Held> held_ = std::vector<Held>(kMostPipes + 1);  // apart, as few kernels need it
};

}  // namespace heddle::sim
