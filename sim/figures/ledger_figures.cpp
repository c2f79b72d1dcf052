#include "sim/figures/ledger_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "isa/ir/stall_reason.h"

namespace heddle::sim {

namespace {

template <typename PartOf>
LedgerSummary ledger_of(const Ledger<PartOf>& ledger, std::uint64_t supply) {
  LedgerSummary summary{supply, {}};
  for (std::size_t i = 0; i < Ledger<PartOf>::kParts; ++i) {
    const auto part = static_cast<PartOf>(i);
    summary.parts.push_back({info(part).key, info(part).summary, ledger[part]});
  }
  return summary;
}

std::vector<Part> stall_parts(const StallCounts& counts) {
  std::vector<Part> parts;
  for (std::size_t i = 0; i < ir::kStallReasons; ++i) {
    const auto reason = static_cast<ir::StallReason>(i);
    parts.push_back({ir::info(reason).key, ir::info(reason).summary, counts[reason]});
  }
  return parts;
}

/// Leaves out not_selected: if a warp is eligible, one issues, so the slot is not lost.
LedgerSummary issue_ledger(const IssueSlots& slots, std::uint64_t supply) {
  LedgerSummary summary{supply, {}};
#define HEDDLE_LEDGER_PART(counter, key, words) summary.parts.push_back({key, words, slots.counter});
#include "sim/ledger/issue_slot_parts.def"
#undef HEDDLE_LEDGER_PART
  for (const Part& part : stall_parts(slots.stalled)) summary.parts.push_back(part);
  std::erase_if(summary.parts, [](const Part& part) { return part.key == "not_selected"; });
  return summary;
}

std::uint64_t sum_of(const std::vector<Part>& parts) {
  std::uint64_t sum = 0;
  for (const Part& part : parts) sum += part.slots;
  return sum;
}

void require_sum(std::string_view name, const LedgerSummary& ledger) {
  const std::uint64_t sum = sum_of(ledger.parts);
  if (sum == ledger.total) return;
  throw std::logic_error(
      fmt::format("the parts of the ledger of {} add up to {}, its supply is {}", name, sum, ledger.total));
}

}  // namespace

const Part* LedgerSummary::find(std::string_view key) const {
  const auto part =
      std::find_if(parts.begin(), parts.end(), [key](const Part& each) { return each.key == key; });
  return part == parts.end() ? nullptr : &*part;
}

LedgerFigures ledger_figures(const SmCounters& total, Cycle cycles, const GpuSpec& spec, Supply supply) {
  LedgerFigures figures;
  figures.warp_slots =
      ledger_of(total.warp_slots, std::uint64_t{spec.occupancy.max_warps} * cycles * spec.sms);
  figures.issue_slots = issue_ledger(total.issue_slots, total.active_cycles * spec.sm.sub_partitions);
  figures.lane_slots = ledger_of(total.lane_slots, total.warp_instructions * spec.occupancy.warp_size);
  figures.stalls = stall_parts(total.stalls);
  if (supply == Supply::Charged) {
    figures.warp_slots.total = sum_of(figures.warp_slots.parts);
    figures.issue_slots.total = sum_of(figures.issue_slots.parts);
  }
  require_sum("warp slots", figures.warp_slots);
  require_sum("issue slots", figures.issue_slots);
  require_sum("lane slots", figures.lane_slots);
  return figures;
}

}  // namespace heddle::sim
