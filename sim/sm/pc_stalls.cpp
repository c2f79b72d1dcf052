#include "sim/sm/pc_stalls.h"

namespace heddle::sim {

void PcStalls::count_in(PcLedger* ledger, const WarpContext* first, unsigned stride, std::size_t warps,
                        std::vector<StallSpan>* spans) {
  ledger_ = ledger;
  spans_ = spans;
  if (ledger == nullptr || notes_ != nullptr) return;
  notes_ = std::make_unique<Notes>();
  notes_->warps.resize(warps);
  notes_->slots = first;
  notes_->stride = stride;
}

void PcStalls::stall(unsigned warp, const WarpWait& wait, Cycle until) const {
  PcCounters* const counters = find(warp);
  if (counters == nullptr) return;
  counters->stalls[wait.demand.reason] += until - wait.from;
  if (spans_ != nullptr) append(warp, wait.demand.reason, wait.from, until);
}

void PcStalls::append(unsigned warp, ir::StallReason reason, Cycle from, Cycle until) const {
  if (from >= until) return;
  const WarpContext& slot = slot_of(warp);
  spans_->push_back({&slot, slot.awaited_pc(), reason, from, until});
}

void PcStalls::append_all(unsigned warp, const WarpWait& wait, Cycle held, Cycle not_selected,
                          Cycle now) const {
  append(warp, wait.demand.reason, wait.from, wait.ready_at);
  append(warp, ir::StallReason::DispatchStall, wait.ready_at, wait.ready_at + held);
  append(warp, wait.demand.throttle, wait.ready_at + held, now - not_selected);
  append(warp, ir::StallReason::NotSelected, now - not_selected, now);
}

void PcStalls::lose(unsigned warp, unsigned whose, ir::StallReason reason, Cycle slots) const {
  const unsigned charged = slot_of(whose).grid == slot_of(warp).grid ? whose : warp;
  if (PcCounters* counters = find(charged)) counters->lost_slots[reason] += slots;
}

}  // namespace heddle::sim
