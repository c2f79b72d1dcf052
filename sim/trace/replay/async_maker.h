// What a line of a trace says of mbarriers and bulk copies.
//
// With the values of registers (version 6) all is known. Without them an mbarrier's counts are not; a wait
// then has its number: a warp's wait number n at an mbarrier is for the n-th phase. A loop around a wait can
// show it several times: it counts once for as long as the warp does nothing else of the kind, nor meets
// others.
#pragma once

#include <cstdint>
#include <map>

#include "isa/stream/async_step.h"
#include "sim/trace/format/trace_line.h"
#include "sim/trace/replay/async_opcode.h"

namespace heddle::trace {

/// Of one warp, line by line.
class AsyncMaker {
 public:
  /// Whether anything is known; then it stands in `step`. `is_in_region`: the line stands in a loop in which
  /// the warp waits, where a test is a wait, too.
  bool make(const TraceLine& line, bool is_in_region, stream::AsyncStep& step);

  /// The warp does something that ends a loop around a wait.
  void note_other() { waited_ = kNowhere; }

 private:
  static constexpr std::uint32_t kNowhere = ~0U;

  bool make_arrival(const TraceLine& line, AsyncOpcode opcode, stream::AsyncStep& step);
  bool make_wait(const TraceLine& line, stream::AsyncStep& step);
  bool make_copy(const TraceLine& line, stream::AsyncStep& step);

  std::map<std::uint32_t, std::uint32_t> rounds_;  // by mbarrier
  std::uint32_t waited_ = kNowhere;                // at this one last, and did nothing since
};

/// How a block's bulk copies fill its mbarriers: dealt out evenly to the phases that arrivals with bytes
/// announce.
class CopyPlan {
 public:
  struct Share {
    std::uint32_t copies_per_phase = 0;
    std::uint32_t phases = 0;
  };

  /// A step of one of the block's warps.
  void note(const stream::AsyncStep& step);
  /// Zeros for an mbarrier that no copies fill.
  [[nodiscard]] Share share(std::uint32_t barrier) const;

 private:
  struct Counts {
    std::uint32_t copies = 0;
    std::uint32_t announcements = 0;
  };

  std::map<std::uint32_t, Counts> counts_;
};

}  // namespace heddle::trace
