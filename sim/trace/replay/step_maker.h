// What a line of a trace says of an instruction, and what follows from the lines before: here, and nowhere
// else, the facts of a replayed instruction come from.
#pragma once

#include <cstdint>

#include "sim/trace/format/trace_header.h"
#include "sim/trace/format/trace_line.h"
#include "sim/trace/replay/async_maker.h"
#include "sim/trace/replay/packed_step.h"
#include "sim/trace/replay/path_lanes.h"
#include "sim/trace/replay/trace_ops.h"

namespace heddle::trace {

/// The steps of one warp, line by line.
///
///   executed   the mask
///   live       the lanes that no EXIT has retired
///   active     the mask, too: which lanes of a path a guard kept back, a trace does not say. Of an empty
///              mask, the lanes of the line before that still live. Of a branch, the lanes that the lines
///              before it tell to be on its path: at those that it leaves behind, lanes part.
///
/// Lanes may come to a block barrier one part after another: the warp comes with the first part.
class StepMaker {
 public:
  /// `lanes`: those that the warp has, of which the reader gives no others.
  StepMaker(const TraceHeader& header, TraceOps& ops, std::uint32_t lanes, std::uint32_t warps_per_block)
      : header_(header), ops_(ops), warps_per_block_(warps_per_block), live_(lanes), active_(lanes) {}

  /// Makes the next step in `step`; false if the line is a mark that no warp executes. `is_last`: of the
  /// warp. Throws LineMistake for lanes that have exited, for addresses that are none, and what TraceOps
  /// throws.
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
  const TraceInstruction* barrier_ = nullptr;  // to which some lanes of the warp have come, and not all
  std::uint32_t came_ = 0;                     // those that have
};

}  // namespace heddle::trace
