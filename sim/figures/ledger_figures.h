// The three ledgers of a run with the names of their parts. See sim/ledger/ledgers.h.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "isa/base/types.h"
#include "sim/config/gpu_spec.h"
#include "sim/figures/ratio.h"
#include "sim/ledger/sm_counters.h"

namespace heddle::sim {

/// One of a ledger's parts: its key in reports, what it means, and its slots.
struct Part {
  std::string_view key;
  std::string_view summary;
  std::uint64_t slots = 0;
};

/// A supply of slots and where they went. The first part is what was used.
struct LedgerSummary {
  std::uint64_t total = 0;
  std::vector<Part> parts;

  [[nodiscard]] double share(const Part& part) const { return ratio(part.slots, total).value_or(0); }
  [[nodiscard]] const Part* find(std::string_view key) const;  ///< Null if it has no such part.
};

struct LedgerFigures {
  LedgerSummary warp_slots;
  LedgerSummary issue_slots;
  LedgerSummary lane_slots;
  std::vector<Part> stalls;  ///< Warp-cycles, in the order of the table.
};

/// Of a run of so many cycles. Throws std::logic_error if a ledger does not add up to its supply: then the model
/// is wrong, not the user.
LedgerFigures ledger_figures(const SmCounters& total, Cycle cycles, const GpuSpec& spec);

}  // namespace heddle::sim
