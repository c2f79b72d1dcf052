// Turns a line of a trace into a step: the facts of the instruction, from this line and the lines before.
// Only this code derives facts of replayed instructions.
#pragma once

#include <cstdint>

#include "sim/trace/format/trace_header.h"
#include "sim/trace/format/trace_line.h"
#include "sim/trace/replay/async_maker.h"
#include "sim/trace/replay/packed_step.h"
#include "sim/trace/replay/path_lanes.h"
#include "sim/trace/replay/trace_ops.h"

namespace heddle::trace {

/// Makes the steps of one warp, line by line.
///
///   executed   the mask
///   live       the lanes that have not exited
///   active     the mask, too, because a trace does not tell which lanes of a path were predicated off.
///              For an empty mask: the lanes of the line before that are still live. For a branch: the
///              lanes that the lines before it show to be on its path, because lanes that do not branch
///              diverge there.
///
/// The lanes of a warp may reach a block barrier in several parts. The warp arrives with the first part.
class StepMaker {
 public:
  /// `lanes` are the threads that the warp has. The reader guarantees that there are no others.
  StepMaker(const TraceHeader& header, TraceOps& ops, std::uint32_t lanes, std::uint32_t warps_per_block)
      : header_(header), ops_(ops), warps_per_block_(warps_per_block), live_(lanes), active_(lanes) {}

  /// Makes the next step in `step`. Returns false if the line is a mark, which no warp executes. `is_last`:
  /// this is the warp's last line. Throws LineMistake for lanes that have exited and for invalid addresses,
  /// and what TraceOps throws.
  bool make(const TraceLine& line, bool is_last, TraceStep& step);

  /// The lanes that have not exited.
  [[nodiscard]] std::uint32_t live() const { return live_; }

 private:
  bool is_mark(const TraceInstruction& instruction);
  void require_live(std::uint32_t mask) const;
  std::uint32_t issue(const TraceLine& line);
  void find_addresses(const TraceLine& line, const stream::StaticOp& op, TraceStep& step) const;
  [[nodiscard]] stream::BarrierUse barrier_use(const TraceLine& line) const;

  const TraceHeader& header_;
  TraceOps& ops_;
  std::uint32_t warps_per_block_;
  std::uint32_t live_;
  std::uint32_t active_;
  PathLanes path_;
  bool is_in_region_ = false;
  AsyncMaker async_;
  // a barrier that some lanes of the warp have reached, but not all
  const TraceInstruction* barrier_ = nullptr;
  std::uint32_t came_ = 0;  // the lanes that have reached it
};

}  // namespace heddle::trace
