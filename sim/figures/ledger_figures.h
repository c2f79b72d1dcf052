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

/// One part of a ledger: its key in reports, its meaning, and its slots.
struct Part {
  std::string_view key;
  std::string_view summary;
  std::uint64_t slots = 0;
};

/// A supply of slots and the parts that it was spent on. The first part is the used slots.
struct LedgerSummary {
  std::uint64_t total = 0;
  std::vector<Part> parts;

  [[nodiscard]] double share(const Part& part) const { return ratio(part.slots, total).value_or(0); }
  [[nodiscard]] const Part* find(std::string_view key) const;  ///< Null if there is no such part.
};

/// The three ledgers of a run, and the stalls of its warps.
struct LedgerFigures {
  LedgerSummary warp_slots;
  LedgerSummary issue_slots;
  LedgerSummary lane_slots;
  std::vector<Part> stalls;  ///< Warp-cycles by stall reason, in the order of the table.
};

/// What a run's ledgers are held against: all slots of the GPU, or, where grids ran side by side and each slot was
/// charged to one of them, what the run was charged.
enum class Supply : std::uint8_t { OfGpu, Charged };

/// The ledgers of a run with this many cycles. Throws std::logic_error if the parts of a ledger do not sum to
/// its supply; that is a bug of the model, not a mistake of the user.
LedgerFigures ledger_figures(const SmCounters& total, Cycle cycles, const GpuSpec& spec, Supply supply);

}  // namespace heddle::sim
