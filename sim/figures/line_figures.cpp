#include "sim/figures/line_figures.h"

#include <algorithm>
#include <map>

#include "isa/ir/stall_reason.h"

namespace heddle::sim {

std::vector<LineFigures> figures_by_line(std::span<const PcCounters> by_pc, std::span<const Cost> costs,
                                         std::span<const LinePlace> places) {
  std::map<LinePlace, LineFigures> sums;
  for (std::size_t pc = 0; pc < by_pc.size(); ++pc) {
    const LinePlace place = pc < places.size() ? places[pc] : LinePlace{};
    LineFigures& line = sums[place];
    line.place = place;
    line.counters += by_pc[pc];
    if (by_pc[pc].memory.global_atomic_requests != 0)
      line.updating_lanes += by_pc[pc].lane_slots[LaneSlotPart::Executed];
    if (pc < costs.size()) line.cost += costs[pc];
  }
  std::vector<LineFigures> lines;
  for (const auto& [place, line] : sums) lines.push_back(line);
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

std::vector<const LineFigures*> worst_first(std::span<const LineFigures> lines, std::uint32_t warp_size) {
  std::vector<const LineFigures*> worst;
  for (const LineFigures& line : lines) {
    if (line.place.line != 0 && line.cost.lane_slots(warp_size) != 0) worst.push_back(&line);
  }
  std::stable_sort(worst.begin(), worst.end(), [warp_size](const LineFigures* a, const LineFigures* b) {
    return a->cost.lane_slots(warp_size) > b->cost.lane_slots(warp_size);
  });
  return worst;
}

}  // namespace heddle::sim
