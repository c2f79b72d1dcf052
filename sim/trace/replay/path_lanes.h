// Which lanes of a warp are on the path that issues, as far as the lines of a trace tell.
//
// A line has the lanes that executed it: which ones its guard kept back, it does not say. The lines around it
// do. Lanes that go straight on together were together all the while; those that a branch did not take go on
// behind it, those that it took elsewhere; and behind a place where lanes wait for one another go on all that
// came there.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/stream/static_op.h"
#include "sim/trace/format/trace_line.h"

namespace heddle::trace {

/// Of one warp, line by line.
class PathLanes {
 public:
  /// The lanes on the path at the warp's next line, which is such an operation: those that executed it at
  /// least, and of those that it does not tell, some may be missing. `live`: those that have not exited.
  std::uint32_t at(const TraceLine& line, const stream::StaticOp& op, std::uint32_t live);

 private:
  enum class Transfer : std::uint8_t { Unknown, FallThrough, Jump, Reconvergence };
  struct Waiting {
    const TraceInstruction* at = nullptr;
    std::uint32_t lanes = 0;
  };

  [[nodiscard]] bool follows(const TraceInstruction& instruction) const;
  [[nodiscard]] std::uint32_t told_before(const TraceLine& line, const stream::StaticOp& op);
  std::uint32_t take_waiting();
  void wait(const TraceLine& line);
  void merge_waiting(std::uint32_t lanes);

  // Of the line before.
  const TraceInstruction* before_ = nullptr;
  Transfer transfer_ = Transfer::Unknown;
  std::uint32_t lanes_ = 0;   // on its path
  std::uint32_t jumped_ = 0;  // that executed it
  std::vector<Waiting> waiting_;
};

}  // namespace heddle::trace
