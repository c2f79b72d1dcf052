// The active masks of one warp, step by step: how its lanes part and meet again.
//
// The numbers are those of a run: an observer hears each instruction that the warp issues, with the lanes
// that execute it. Work is what remains without jumps, without EXIT, and without the instructions that only
// part lanes or bring them together; so a path of 100 multiplications and a jump is 100 instructions of work.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/ir/kernel.h"
#include "sim/events/observer.h"

namespace heddle::show {

/// What the picture needs of each instruction of a kernel, by Pc.
struct InstructionRoles {
  struct Role {
    std::string place;     ///< The last label before it; "start" before the first.
    bool is_path = false;  ///< Not every lane must pass it: it stands between a branch and where lanes meet.
    bool is_work = true;
  };
  std::vector<Role> by_pc;
};

InstructionRoles roles_of(const ir::Kernel& kernel);

/// Lane slots, used and in all. Their ratio is the utilization.
struct LaneUse {
  std::uint64_t used = 0;
  std::uint64_t of = 0;

  friend bool operator==(const LaneUse&, const LaneUse&) = default;
};

/// Instructions that a warp issues one after the other with the same lanes, all on paths or all not.
struct MaskStep {
  std::string place;  ///< Of its first instruction.
  bool is_path = false;
  Cycle first = 0;  ///< When its first and last instruction issue.
  Cycle last = 0;
  std::uint64_t instructions = 0;
  std::uint64_t work = 0;  ///< Those of them that are work.
  LaneMask lanes = 0;
};

/// The work on paths that begins at one place, over the whole run of the warp.
struct PathUse {
  std::string place;
  std::uint64_t instructions = 0;
  LaneUse lanes;
};

/// The run of one warp.
struct WarpMasks {
  unsigned warp_size = 32;
  std::vector<MaskStep> steps;
  std::vector<PathUse> paths;  ///< In the order in which the warp came to them.
  LaneUse on_paths;            ///< The sum of `paths`.
  LaneUse in_all;              ///< All instructions, jumps too.
};

/// Hears one warp of the first grid and keeps its steps.
class MaskObserver final : public sim::Observer {
 public:
  MaskObserver(const InstructionRoles& roles, unsigned warp_size, BlockId block, std::uint32_t warp)
      : roles_(roles), block_(block), warp_(warp) {
    masks_.warp_size = warp_size;
  }

  [[nodiscard]] sim::EventKinds wanted() const override { return {.blocks = false, .memory = false}; }
  void warp_issued(const sim::WarpIssued& issued) override;

  [[nodiscard]] const WarpMasks& masks() const { return masks_; }

 private:
  void count(const InstructionRoles::Role& role, unsigned lanes);

  const InstructionRoles& roles_;
  BlockId block_;
  std::uint32_t warp_;
  WarpMasks masks_;
};

}  // namespace heddle::show
