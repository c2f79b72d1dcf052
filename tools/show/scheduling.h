// The picture of scheduling: what each warp of an SM does in each of some cycles, and which one each
// scheduler picks.
#pragma once

#include <functional>
#include <string>

#include "tools/report/timeline.h"
#include "tools/show/picture.h"

namespace heddle::show {

/// Hears when the first warp of an SM comes to an instruction.
class FirstIssue final : public sim::Observer {
 public:
  /// `pc`: kAnyPc for any instruction.
  static constexpr Pc kAnyPc = ~Pc{0};
  FirstIssue(SmId sm, Pc pc) : sm_(sm), pc_(pc) {}

  [[nodiscard]] sim::EventKinds wanted() const override { return {.blocks = false, .memory = false}; }
  void warp_issued(const sim::WarpIssued& issued) override {
    if (cycle_ == kNever && issued.sm == sm_ && (pc_ == kAnyPc || pc_ == issued.pc)) cycle_ = issued.cycle;
  }
  /// kNever if none does.
  [[nodiscard]] Cycle cycle() const { return cycle_; }

 private:
  SmId sm_;
  Pc pc_;
  Cycle cycle_ = kNever;
};

/// What is shown beside the timeline.
struct ShownSchedule {
  std::string launch;
  std::string gpu;
  std::string policy;
  unsigned warp_size = 32;
  std::function<std::string(Pc)> instruction;
};

/// The timeline, and each issue with its active lanes and instruction.
Picture schedule_picture(const ShownSchedule& shown, const report::Timeline& timeline, std::size_t columns);

}  // namespace heddle::show
