// The steps of a trace's warps, one warp after another, in the order of the file: all that a replay takes
// from lines, and all that it refuses them for.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/trace/read/trace_reader.h"
#include "sim/trace/replay/facts_file.h"
#include "sim/trace/replay/step_maker.h"
#include "sim/trace/replay/trace_ops.h"

namespace heddle::trace {

class WarpSteps {
 public:
  /// All must outlive this. `facts` is null unless the trace is a recording of our own.
  WarpSteps(const TraceReader& reader, TraceOps& ops, FactsFile* facts)
      : reader_(reader), ops_(ops), facts_(facts) {}

  /// The reader has come to a warp of the block.
  void begin_warp();
  /// The reader has come to the warp's next line: makes its step in `step`; false if the line is a mark that
  /// no warp executes. Throws InputError, with its place, for a line that cannot be, or not here, and where
  /// the facts do not fit it.
  bool make(TraceStep& step);
  /// The reader has passed over the block.
  void skip_block();
  /// The reader has come to its end. Throws InputError if there are facts of more than there is.
  void end();

  /// The warp's lanes that have not exited.
  [[nodiscard]] std::uint32_t live() const { return maker_->live(); }

 private:
  bool make_or_refuse(TraceStep& step);
  [[nodiscard]] BlockId block() const;

  const TraceReader& reader_;
  TraceOps& ops_;
  FactsFile* facts_;
  std::optional<StepMaker> maker_;  // of the warp
  std::uint64_t next_ = 0;          // line of the warp
};

}  // namespace heddle::trace
