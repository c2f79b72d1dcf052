// The execution pipes of a sub-partition: which of them are free.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>

#include "isa/base/types.h"
#include "sim/config/gpu_spec.h"

namespace heddle::sim {

/// Bit i is the i-th pipe.
using PipeSet = std::uint32_t;

static_assert(kMostPipes < 32);

/// Where instructions run: in the first of these pipes that is free.
struct PipeChoice {
  PipeSet set = 0;
  std::array<std::uint8_t, kMostPipesOfClass> order{};

  PipeChoice() = default;
  explicit PipeChoice(std::span<const std::uint8_t> pipes) {
    std::copy(pipes.begin(), pipes.end(), order.begin());
    for (const std::uint8_t pipe : pipes) set |= PipeSet{1} << pipe;
  }

  friend bool operator==(const PipeChoice&, const PipeChoice&) = default;
};

class Pipes {
 public:
  /// Those whose instruction is done by `now` are free from now on. Calls come in the order of time.
  void release(Cycle now) {
    for (PipeSet left = busy_; left != 0; left &= left - 1) {
      if (free_at_[first_of(left)] <= now) busy_ &= ~(left & -left);
    }
  }

  // As of the last release.
  [[nodiscard]] bool has_free(const PipeChoice& choice) const { return (choice.set & ~busy_) != 0; }
  /// The first free pipe; there is one.
  [[nodiscard]] std::uint8_t first_free(const PipeChoice& choice) const {
    const std::uint8_t* pipe = choice.order.data();
    while ((busy_ >> *pipe & 1U) != 0) ++pipe;
    return *pipe;
  }

  /// When the first of them is free.
  [[nodiscard]] Cycle free_at(const PipeChoice& choice) const {
    Cycle first = kNever;
    for (PipeSet left = choice.set; left != 0; left &= left - 1) {
      first = std::min(first, free_at_[first_of(left)]);
    }
    return first;
  }
  [[nodiscard]] Cycle free_at(std::uint8_t pipe) const { return free_at_[pipe]; }

  /// Nothing else starts in the pipe before `until`.
  void take(std::uint8_t pipe, Cycle until) {
    free_at_[pipe] = until;
    busy_ |= PipeSet{1} << pipe;
  }
  /// Nothing starts in any pipe before `until`.
  void hold_all(Cycle until) {
    for (Cycle& free_at : free_at_) free_at = std::max(free_at, until);
    busy_ = ~PipeSet{0};
  }

 private:
  static unsigned first_of(PipeSet pipes) { return static_cast<unsigned>(std::countr_zero(pipes)); }

  PipeSet busy_ = 0;
  std::array<Cycle, kMostPipes + 1> free_at_{};
};

}  // namespace heddle::sim
