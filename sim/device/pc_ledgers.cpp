#include "sim/device/pc_ledgers.h"

namespace heddle::sim {

PcLedgers::PcLedgers(unsigned threads) : counts_(kMostGrids) {
  for (unsigned i = 0; i < threads; ++i)
    free_.push_back(ledgers_.emplace_back(std::make_unique<PcLedger>()).get());
}

void PcLedgers::add_grid(GridSlot slot, std::size_t instructions) {
  counts_[slot] = true;
  ++grids_;
  for (const auto& ledger : ledgers_) ledger->add_grid(slot, instructions);
}

std::vector<PcCounters> PcLedgers::take_grid(GridSlot slot, unsigned warp_size) {
  if (!counts_[slot]) return {};
  counts_[slot] = false;
  --grids_;
  std::vector<PcCounters> sum;
  for (const auto& ledger : ledgers_) {
    const std::vector<PcCounters>& rows = ledger->rows(slot);
    if (sum.size() < rows.size()) sum.resize(rows.size());
    for (std::size_t pc = 0; pc < rows.size(); ++pc) sum[pc] += rows[pc];
    ledger->remove_grid(slot);
  }
  for (PcCounters& each : sum)  // lanes of issues that all executed were not counted
    each.lane_slots[LaneSlotPart::Executed] += warp_size * (each.issued - each.partial_issues);
  return sum;
}

PcLedger* PcLedgers::take() {
  const std::lock_guard lock(shared_);
  PcLedger* ledger = free_.back();
  free_.pop_back();
  return ledger;
}

void PcLedgers::give_back(PcLedger* ledger) {
  const std::lock_guard lock(shared_);
  free_.push_back(ledger);
}

}  // namespace heddle::sim
