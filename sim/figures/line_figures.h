// The ledger by line: what was counted of the instructions that were made from each line of a source.
//
// Each instruction belongs to one line, so the counters of all lines together are those of all instructions,
// in integers. Instructions that no line is known of stand together on line 0.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/figures/costs.h"
#include "sim/ledger/pc_counters.h"

namespace heddle::sim {

/// A line of a source file. Lines count from 1; 0: not known.
struct LinePlace {
  std::uint32_t file = 0;  ///< An index into whatever names the files.
  std::uint32_t line = 0;

  friend auto operator<=>(const LinePlace&, const LinePlace&) = default;
};

/// The counters of one line, and what was lost for it: of all its instructions together.
struct LineFigures {
  LinePlace place;
  PcCounters counters;
  Cost cost;
  std::uint64_t updating_lanes = 0;  ///< Lanes that updated global memory by atomics.
};

/// A stall reason and the issue slots that were lost to it.
struct LostTo {
  std::string_view key;  ///< Of ir::StallReason.
  std::uint64_t slots = 0;
};

/// One entry for each line that instructions stand on, in the order of files and lines. Counters, costs and
/// places are by pc; instructions beyond them stand on line 0 of file 0.
std::vector<LineFigures> figures_by_line(std::span<const PcCounters> by_pc, std::span<const Cost> costs,
                                         std::span<const LinePlace> places);

/// What most slots were lost to; of equals the first in the table. Nothing if none were lost.
std::optional<LostTo> first_reason(const StallCounts& lost);

/// The known lines that cost something, the worst first: those for which most lane slots were lost. Of equals
/// the first in the order of `lines` comes first.
std::vector<const LineFigures*> worst_first(std::span<const LineFigures> lines, std::uint32_t warp_size);

}  // namespace heddle::sim
