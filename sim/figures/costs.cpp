#include "sim/figures/costs.h"

#include <algorithm>
#include <span>

#include "sim/figures/cause_search.h"

namespace heddle::sim {

namespace {

void charge_slots(const CauseSearch& search, Pc pc, const StallCounts& lost, std::vector<Cost>& costs) {
  for (std::size_t i = 0; i < StallCounts::kParts; ++i) {
    const auto reason = static_cast<ir::StallReason>(i);
    if (lost[reason] != 0) costs[search.cause_of(pc, reason)].slots[reason] += lost[reason];
  }
}

/// Issue slots of SMs that had blocks, after the last block has ended.
std::uint64_t late_slots(const RunResult& run) {
  std::uint64_t schedulers = 0;
  for (const SmCounters& sm : run.sms)
    schedulers += sm.active_cycles == 0 ? 0 : sm.issue_slots.sum() / sm.active_cycles;
  return (run.cycles - run.blocks_end) * schedulers;
}

/// Whether a guard is true for some lanes of a warp only: lanes work in issues that not all lanes take part
/// in.
bool parts_warps(const PcCounters& counters) {
  const std::uint64_t warp_size = counters.lane_slots.sum() / std::max<std::uint64_t>(counters.issued, 1);
  return counters.lane_slots[LaneSlotPart::Executed] >
         warp_size * (counters.issued - counters.partial_issues);
}

/// Following registers takes long. It is done for what costs something.
void find_chains(const CauseSearch& search, std::vector<Cost>& costs) {
  constexpr std::uint64_t kLeastShare = 100;  // one part of so many
  std::uint64_t all = 0;
  for (const Cost& cost : costs) all += cost.slots.sum();
  for (Pc pc = 0; pc < costs.size(); ++pc) {
    const StallCounts& slots = costs[pc].slots;
    const std::uint64_t fixed = slots[ir::StallReason::Wait];
    const std::uint64_t all_results =
        fixed + slots[ir::StallReason::LongScoreboard] + slots[ir::StallReason::ShortScoreboard];
    if (all_results * kLeastShare <= all) continue;
    if (search.feeds_itself(pc)) {
      costs[pc].chained = all_results;
    } else if (fixed != 0 && search.ends_long_chain(pc)) {
      costs[pc].chained = fixed;
    }
  }
}

}  // namespace

Cost& Cost::operator+=(const Cost& other) {
  slots += other.slots;
  lanes += other.lanes;
  parted += other.parted;
  chained += other.chained;
  late += other.late;
  return *this;
}

std::vector<Cost> costs_of(const ir::Kernel& kernel, const RunResult& run) {
  const std::span<const PcCounters> by_pc = run.by_pc;
  std::vector<Cost> costs(by_pc.size());
  const CauseSearch search(kernel, by_pc);
  const std::vector<Pc> branches = search.parting_branches();
  for (Pc pc = 0; pc < by_pc.size(); ++pc) {
    charge_slots(search, pc, by_pc[pc].lost_slots, costs);
    if (pc >= branches.size()) continue;
    const Ledger<LaneSlotPart>& lanes = by_pc[pc].lane_slots;
    costs[branches[pc]].lanes += lanes[LaneSlotPart::Diverged];
    costs[branches[pc]].parted += lanes[LaneSlotPart::Diverged];
    if (const std::uint64_t off = lanes[LaneSlotPart::PredicatedOff]; off != 0) {
      Cost& cost = costs[search.decider_of_guard(pc)];
      cost.lanes += off;
      if (parts_warps(by_pc[pc])) cost.parted += off;
    }
    if (lanes[LaneSlotPart::Exited] != 0) costs[search.exit_before(pc)].lanes += lanes[LaneSlotPart::Exited];
  }
  find_chains(search, costs);
  if (const auto late = search.unanswered()) costs[*late].late = late_slots(run);
  return costs;
}

}  // namespace heddle::sim
