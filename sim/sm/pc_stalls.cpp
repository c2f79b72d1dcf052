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

void PcStalls::lose(unsigned warp, unsigned whose, ir::StallReason reason, Cycle slots) const {
  const unsigned charged = slot_of(whose).grid == slot_of(warp).grid ? whose : warp;
  if (PcCounters* counters = find(charged)) counters->lost_slots[reason] += slots;
}

}  // namespace heddle::sim
