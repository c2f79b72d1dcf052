// Finds which lanes of a warp are active, as far as the lines of a trace tell.
//
// A line has the lanes that executed. It does not tell which lanes were active but predicated off. The lines
// around it do: lanes that go straight on together were together before; lanes that did not take a branch go
// on behind it, and the others at its target; behind a reconvergence point all lanes that arrived there go
// on.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/stream/static_op.h"
#include "sim/trace/format/trace_line.h"

namespace heddle::trace {

/// Follows one warp, line by line.
class PathLanes {
 public:
  /// The active lanes at the warp's next line, which is operation `op`. The result has at least the lanes
  /// that executed; lanes that the lines do not tell may be missing. `live` are the lanes that have not
  /// exited.
  std::uint32_t at(const TraceLine& line, const stream::StaticOp& op, std::uint32_t live);

 private:
  /// How control can leave the line before.
  enum class Transfer : std::uint8_t { Unknown, FallThrough, Jump, Reconvergence };
  /// Lanes that wait at a reconvergence point.
  struct Waiting {
    const TraceInstruction* at = nullptr;
    std::uint32_t lanes = 0;
  };

  [[nodiscard]] bool follows(const TraceInstruction& instruction) const;
  [[nodiscard]] std::uint32_t told_before(const TraceLine& line, const stream::StaticOp& op);
  std::uint32_t take_waiting();
  void wait(const TraceLine& line);
  void merge_waiting(std::uint32_t lanes);

  // About the line before:
  const TraceInstruction* before_ = nullptr;
  Transfer transfer_ = Transfer::Unknown;
  std::uint32_t lanes_ = 0;   // lanes on its path
  std::uint32_t jumped_ = 0;  // lanes that executed it
  std::vector<Waiting> waiting_;
};

}  // namespace heddle::trace
