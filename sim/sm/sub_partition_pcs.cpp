// What a sub-partition counts by instruction. Slots and stalls belong to the instruction that the warp waits
// to issue; after its last one, to that.
#include "sim/sm/sub_partition.h"

namespace heddle::sim {

void SubPartition::count_in(PcLedger* ledger, const WarpContext* first, unsigned stride) {
  pc_ledger_ = ledger;
  set_mixed(is_mixed_);
  if (ledger == nullptr || pc_notes_ != nullptr) return;
  pc_notes_ = std::make_unique<PcNotes>();
  pc_notes_->warps.resize(warps_.size());
  pc_notes_->slots = first;
  pc_notes_->stride = stride;
}

/// Of a warp that has been blocked up to then.
void SubPartition::charge_pc_stall(unsigned warp, Cycle until) const {
  const WarpState& state = warps_[warp];
  if (PcCounters* counters = pc_counters_of(warp))
    counters->stalls[state.demand.reason] += until - state.from;
}

/// The warp is ready from now on.
void SubPartition::note_ready(unsigned warp, Cycle now) {
  pc_notes_->warps[warp] = {pc_notes_->open[warps_[warp].demand.group],
                            pc_notes_->held - (held_until_ > now ? held_until_ - now : 0)};
}

/// As charge_issue() has it for the run, but that of each warp what is charged to sets of ready ones is known
/// only now: the cycles in which the dispatcher was held, and those in which it was eligible.
void SubPartition::charge_pc_issue(unsigned warp, Cycle now) {
  PcCounters* counters = pc_counters_of(warp);
  if (counters == nullptr) return;
  const WarpState& state = warps_[warp];
  const PcNotes::OfWarp& noted = pc_notes_->warps[warp];
  const Cycle eligible = pc_notes_->open[state.demand.group] - noted.open;
  const Cycle held = pc_notes_->held - noted.held;
  ++counters->issued;
  counters->stalls[state.demand.reason] += state.ready_at - state.from;
  counters->stalls[ir::StallReason::DispatchStall] += held;
  counters->stalls[ir::StallReason::NotSelected] += eligible - 1;
  counters->stalls[state.demand.throttle] += now + 1 - state.ready_at - held - eligible;
}

/// Slots that were lost before the warp issued, or left, for what `whose` waited for. Those of another grid's
/// warp are charged to this one's instruction: a grid's lost slots are those of its instructions.
void SubPartition::lose_of_pc(unsigned warp, unsigned whose, ir::StallReason reason, Cycle slots) const {
  const unsigned charged = grid_of_[whose] == grid_of_[warp] ? whose : warp;
  if (PcCounters* counters = pc_counters_of(charged)) counters->lost_slots[reason] += slots;
}

}  // namespace heddle::sim
