#include "sim/sm/pc_stalls.h"

namespace heddle::sim {

void PcStalls::count_in(PcLedger* ledger, const WarpContext* first, unsigned stride, std::size_t warps) {
  ledger_ = ledger;
  if (ledger == nullptr || notes_ != nullptr) return;
  notes_ = std::make_unique<Notes>();
  notes_->warps.resize(warps);
  notes_->slots = first;
  notes_->stride = stride;
}

void PcStalls::stall(unsigned warp, const WarpWait& wait, Cycle until) const {
  if (PcCounters* counters = find(warp)) counters->stalls[wait.demand.reason] += until - wait.from;
}

void PcStalls::ready(unsigned warp, unsigned group, Cycle held) {
  notes_->warps[warp] = {notes_->open[group], notes_->held - held};
}

/// As the ledger by grids has it, but that of each warp what is charged to sets of ready ones is known only
/// now: the cycles in which the dispatcher was held, and those in which it was eligible.
void PcStalls::issue(unsigned warp, const WarpWait& wait, Cycle now) {
  PcCounters* counters = find(warp);
  if (counters == nullptr) return;
  const Notes::OfWarp& noted = notes_->warps[warp];
  const Cycle eligible = notes_->open[wait.demand.group] - noted.open;
  const Cycle held = notes_->held - noted.held;
  ++counters->issued;
  counters->stalls[wait.demand.reason] += wait.ready_at - wait.from;
  counters->stalls[ir::StallReason::DispatchStall] += held;
  counters->stalls[ir::StallReason::NotSelected] += eligible - 1;
  counters->stalls[wait.demand.throttle] += now + 1 - wait.ready_at - held - eligible;
}

void PcStalls::lose(unsigned warp, unsigned whose, ir::StallReason reason, Cycle slots) const {
  const unsigned charged = slot_of(whose).grid == slot_of(warp).grid ? whose : warp;
  if (PcCounters* counters = find(charged)) counters->lost_slots[reason] += slots;
}

}  // namespace heddle::sim
