// The SIMT stack: which lanes of a warp run now, and where the others wait.
//
// A divergent branch splits the running lanes in two; the fall-through path runs first, then the taken one;
// both stop at the reconvergence point, where the lanes run together again.
#pragma once

#include <cstddef>
#include <vector>

#include "isa/exec/paths.h"

namespace heddle::exec {

class SimtStack final : public Paths {
 public:
  void start(LaneMask lanes, Pc pc) override {
    waiting_.clear();
    running_ = {pc, kNowhere, lanes};
    live_ = lanes;
  }

  /// Paths that wait, and the one that runs.
  [[nodiscard]] std::size_t depth() const { return waiting_.size() + 1; }

  void split(std::span<const Way> ways, Pc meeting) override {
    // Where the enclosing paths meet, these lanes are waited for, too.
    if (meeting == kNowhere) meeting = running_.meeting;
    // Lanes that meet where their parent's path ends are in the entry below already. This keeps the stack flat
    // when lanes leave a loop one by one.
    if (meeting != running_.meeting) waiting_.push_back({meeting, running_.meeting, running_.lanes});
    running_ = {kNowhere, kNowhere, 0};
    for (auto way = ways.rbegin(); way != ways.rend(); ++way) push(way->pc, meeting, way->lanes);
    if (running_.lanes == 0) pop();
  }

  /// Afterwards active() is empty only if live() is.
  void exit(LaneMask lanes) override {
    live_ &= ~lanes;
    running_.lanes &= live_;
    if (running_.lanes == 0) pop();
  }

  [[nodiscard]] std::vector<Wait> waits() const override {
    std::vector<Wait> list;
    LaneMask above = running_.lanes;
    for (auto entry = waiting_.rbegin(); entry != waiting_.rend(); ++entry) {
      const LaneMask lanes = entry->lanes & live_ & ~above;
      if (lanes != 0) list.push_back({lanes, entry->pc, above});
      above |= lanes;
    }
    return list;
  }

 protected:
  void arrive() override { pop(); }

 private:
  void push(Pc pc, Pc meeting, LaneMask lanes) {
    if (pc == meeting || lanes == 0) return;
    if (running_.lanes != 0) waiting_.push_back(running_);
    running_ = {pc, meeting, lanes};
  }

  void pop() {
    while (!waiting_.empty()) {
      running_ = waiting_.back();
      waiting_.pop_back();
      running_.lanes &= live_;
      if (running_.lanes != 0 && running_.pc != running_.meeting) return;
    }
    if (live_ == 0) running_.lanes = 0;
  }

  std::vector<Running> waiting_;
};

}  // namespace heddle::exec
