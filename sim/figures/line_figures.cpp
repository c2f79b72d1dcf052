#include "sim/figures/line_figures.h"

#include <map>

#include "isa/ir/stall_reason.h"

namespace heddle::sim {

std::vector<LineFigures> figures_by_line(std::span<const PcCounters> by_pc,
                                         std::span<const LinePlace> places) {
  std::map<LinePlace, PcCounters> sums;
  for (std::size_t pc = 0; pc < by_pc.size(); ++pc)
    sums[pc < places.size() ? places[pc] : LinePlace{}] += by_pc[pc];
  std::vector<LineFigures> lines;
  for (const auto& [place, counters] : sums) lines.push_back({place, counters});
  return lines;
}

std::optional<LostTo> first_reason(const StallCounts& lost) {
  std::optional<LostTo> first;
  for (std::size_t i = 0; i < ir::kStallReasons; ++i) {
    const auto reason = static_cast<ir::StallReason>(i);
    if (lost[reason] > (first ? first->slots : 0)) first = LostTo{ir::info(reason).key, lost[reason]};
  }
  return first;
}

const LineFigures* worst_line(std::span<const LineFigures> lines) {
  const LineFigures* worst = nullptr;
  std::uint64_t most = 0;
  for (const LineFigures& line : lines) {
    const std::uint64_t lost = line.counters.lost_slots.sum();
    if (line.place.line == 0 || lost <= most) continue;
    worst = &line;
    most = lost;
  }
  return worst;
}

}  // namespace heddle::sim
