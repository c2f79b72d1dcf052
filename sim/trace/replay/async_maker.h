// What a trace line tells about mbarriers and bulk copies.
//
// With register values (version 6) everything is known. Without them the counts of an mbarrier are unknown;
// then waits are numbered: the n-th wait of a warp at an mbarrier waits for the n-th phase. A loop around a
// wait can repeat its line. The repeated lines count as one wait until the warp executes another instruction
// of this kind or a barrier.
#pragma once

#include <cstdint>
#include <map>

#include "isa/ir/instruction.h"
#include "isa/stream/async_step.h"
#include "sim/trace/format/trace_line.h"

namespace heddle::trace {

/// Makes the asynchronous steps of one warp, line by line.
class AsyncMaker {
 public:
  /// Returns whether the line has an effect; then the effect is in `step`. `instruction` is what the line's
  /// opcode names. `is_in_region`: the line is in a loop in which the warp waits; there a test counts as a
  /// wait.
  bool make(const TraceLine& line, const ir::Instruction& instruction, bool is_in_region,
            stream::AsyncStep& step);

  /// The warp executes something that ends a loop around a wait.
  void note_other() { waited_ = kNowhere; }

 private:
  static constexpr std::uint32_t kNowhere = ~0U;

  bool make_arrival(const TraceLine& line, const ir::Instruction& instruction, stream::AsyncStep& step);
  bool make_wait(const TraceLine& line, stream::AsyncStep& step);
  bool make_copy(const TraceLine& line, stream::AsyncStep& step);

  std::map<std::uint32_t, std::uint32_t> rounds_;  // waits so far, by mbarrier
  // the last wait was at this one, and nothing ended its loop since
  std::uint32_t waited_ = kNowhere;
};

/// Assigns a block's bulk copies to its mbarriers: they are spread evenly over the phases for which arrivals
/// expect bytes.
class CopyPlan {
 public:
  /// The copies that one mbarrier gets.
  struct Share {
    std::uint32_t copies_per_phase = 0;
    std::uint32_t phases = 0;
  };

  /// Counts a step of one of the block's warps.
  void note(const stream::AsyncStep& step);
  /// Zeros if no copies are assigned to the mbarrier.
  [[nodiscard]] Share share(std::uint32_t barrier) const;

 private:
  /// What the warps' steps tell about one mbarrier.
  struct Counts {
    std::uint32_t copies = 0;
    std::uint32_t announcements = 0;
  };

  std::map<std::uint32_t, Counts> counts_;
};

}  // namespace heddle::trace
