// How an SM's warp slots are held over time: the warp-slot ledger's parts that blocks, not warps, decide.
#pragma once

#include <cstdint>

#include "isa/base/types.h"

namespace heddle::sim {

/// Integrates, over the cycles with a resident block, the places that no block holds.
class Residency {
 public:
  /// `places` is how many blocks this SM can be given at once.
  explicit Residency(std::uint32_t places) : places_(places) {}

  void block_starts(Cycle now) {
    advance(now);
    ++blocks_;
  }
  void block_ends(Cycle now) {
    advance(now);
    --blocks_;
  }
  /// No block starts anywhere after this cycle. Told before time gets there.
  void set_tail(Cycle from) { tail_from_ = from; }

  [[nodiscard]] std::uint32_t blocks() const { return blocks_; }
  [[nodiscard]] Cycle active_cycles() const { return active_cycles_; }
  [[nodiscard]] std::uint64_t free_before_tail() const { return free_before_tail_; }  ///< places x cycles
  [[nodiscard]] std::uint64_t free_in_tail() const { return free_in_tail_; }

 private:
  void advance(Cycle now) {
    if (blocks_ != 0) {
      const Cycle split = tail_from_ < last_ ? last_ : tail_from_ > now ? now : tail_from_;
      active_cycles_ += now - last_;
      free_before_tail_ += std::uint64_t{places_ - blocks_} * (split - last_);
      free_in_tail_ += std::uint64_t{places_ - blocks_} * (now - split);
    }
    last_ = now;
  }

  std::uint32_t places_;
  std::uint32_t blocks_ = 0;
  Cycle last_ = 0;
  Cycle tail_from_ = kNever;
  Cycle active_cycles_ = 0;
  std::uint64_t free_before_tail_ = 0;
  std::uint64_t free_in_tail_ = 0;
};

}  // namespace heddle::sim
