// The SIMT stack: which lanes of a warp run now, and where the others wait.
//
// A divergent branch splits the running lanes in two; the fall-through path runs first, then the taken one;
// both stop at the reconvergence point, where the lanes run together again.
#pragma once

#include <cstddef>
#include <vector>

#include "isa/base/types.h"

namespace heddle::exec {

class SimtStack {
 public:
  void start(LaneMask lanes, Pc pc) {
    waiting_.clear();
    top_ = {pc, kNowhere, lanes};
    live_ = lanes;
  }

  [[nodiscard]] Pc pc() const { return top_.pc; }
  [[nodiscard]] LaneMask active() const { return top_.lanes; }
  [[nodiscard]] LaneMask live() const { return live_; }

  /// Paths that wait, and the one that runs.
  [[nodiscard]] std::size_t depth() const { return waiting_.size() + 1; }

  /// The running lanes go on at `pc`, together.
  void advance(Pc pc) {
    top_.pc = pc;
    if (pc == top_.reconvergence) pop();
  }

  /// The lanes of `taken`, some but not all of the running ones, go on at `target`, the others at
  /// `fall_through`; all meet at `reconvergence` (kNowhere if they never do).
  void diverge(LaneMask taken, Pc target, Pc fall_through, Pc reconvergence) {
    const LaneMask others = top_.lanes & ~taken;
    // Where the enclosing paths meet, these lanes are waited for, too.
    if (reconvergence == kNowhere) reconvergence = top_.reconvergence;
    // Lanes that meet where their parent's path ends are in the entry below already. This keeps the stack flat
    // when lanes leave a loop one by one.
    if (reconvergence != top_.reconvergence) {
      waiting_.push_back({reconvergence, top_.reconvergence, top_.lanes});
    }
    top_ = {kNowhere, kNowhere, 0};
    push(target, reconvergence, taken);
    push(fall_through, reconvergence, others);
    if (top_.lanes == 0) pop();
  }

  /// These lanes are done. Afterwards active() is empty only if live() is.
  void exit(LaneMask lanes) {
    live_ &= ~lanes;
    top_.lanes &= live_;
    if (top_.lanes == 0) pop();
  }

 private:
  struct Entry {
    Pc pc = 0;
    Pc reconvergence = 0;
    LaneMask lanes = 0;
  };

  static constexpr Pc kNowhere = ~Pc{0};

  void push(Pc pc, Pc reconvergence, LaneMask lanes) {
    if (pc == reconvergence) return;
    if (top_.lanes != 0) waiting_.push_back(top_);
    top_ = {pc, reconvergence, lanes};
  }

  void pop() {
    while (!waiting_.empty()) {
      top_ = waiting_.back();
      waiting_.pop_back();
      top_.lanes &= live_;
      if (top_.lanes != 0 && top_.pc != top_.reconvergence) return;
    }
    if (live_ == 0) top_.lanes = 0;
  }

  Entry top_;
  std::vector<Entry> waiting_;
  LaneMask live_ = 0;
};

}  // namespace heddle::exec
