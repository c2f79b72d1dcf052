#include "sim/figures/costs.h"

#include "sim/figures/cause_search.h"

namespace heddle::sim {

namespace {

void charge_slots(const CauseSearch& search, Pc pc, const StallCounts& lost, std::vector<Cost>& costs) {
  for (std::size_t i = 0; i < StallCounts::kParts; ++i) {
    const auto reason = static_cast<ir::StallReason>(i);
    if (lost[reason] != 0) costs[search.cause_of(pc, reason)].slots[reason] += lost[reason];
  }
}

}  // namespace

Cost& Cost::operator+=(const Cost& other) {
  slots += other.slots;
  lanes += other.lanes;
  return *this;
}

std::vector<Cost> costs_of(const ir::Kernel& kernel, std::span<const PcCounters> by_pc) {
  std::vector<Cost> costs(by_pc.size());
  const CauseSearch search(kernel, by_pc);
  const std::vector<Pc> branches = search.parting_branches();
  for (Pc pc = 0; pc < by_pc.size(); ++pc) {
    charge_slots(search, pc, by_pc[pc].lost_slots, costs);
    if (pc >= branches.size()) continue;
    const Ledger<LaneSlotPart>& lanes = by_pc[pc].lane_slots;
    costs[pc].lanes += lanes[LaneSlotPart::PredicatedOff];
    costs[branches[pc]].lanes += lanes[LaneSlotPart::Diverged];
    if (lanes[LaneSlotPart::Exited] != 0) costs[search.exit_before(pc)].lanes += lanes[LaneSlotPart::Exited];
  }
  return costs;
}

}  // namespace heddle::sim
