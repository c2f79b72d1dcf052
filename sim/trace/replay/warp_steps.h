// Makes the steps of all warps of a trace, in the order of the file. This is all that a replay takes from
// lines, and all that it refuses lines for.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/trace/read/trace_reader.h"
#include "sim/trace/replay/facts_file.h"
#include "sim/trace/replay/step_maker.h"
#include "sim/trace/replay/trace_ops.h"

namespace heddle::trace {

/// Makes steps from the lines that a reader delivers.
class WarpSteps {
 public:
  /// All arguments must outlive this. `facts` is null unless Heddle recorded the trace.
  WarpSteps(const TraceReader& reader, TraceOps& ops, FactsFile* facts)
      : reader_(reader), ops_(ops), facts_(facts) {}

  /// Call this when the reader is at the beginning of a warp.
  void begin_warp();
  /// Call this when the reader is at the warp's next line. Makes its step in `step`; returns false if the
  /// line is a mark, which no warp executes. Throws InputError, with the position, if the line is impossible
  /// here or does not fit the facts.
  bool make(TraceStep& step);
  /// Call this when the reader has skipped the block.
  void skip_block();
  /// Call this when the reader is at the end. Throws InputError if facts are left over.
  void end();

  /// The lanes of the warp that have not exited.
  [[nodiscard]] std::uint32_t live() const { return maker_->live(); }

 private:
  bool make_or_refuse(TraceStep& step);
  [[nodiscard]] BlockId block() const;

  const TraceReader& reader_;
  TraceOps& ops_;
  FactsFile* facts_;
  std::optional<StepMaker> maker_;  // makes the current warp's steps
  std::uint64_t next_ = 0;          // number of the next line in the warp
};

}  // namespace heddle::trace
