// The ledger by instruction: for each grid that asked for it, the counters of each of its instructions.
#pragma once

#include <cstddef>
#include <vector>

#include "isa/base/types.h"
#include "sim/ledger/pc_counters.h"

namespace heddle::sim {

/// SMs that run one after the other share one: what they count adds up, in whatever order.
class PcLedger {
 public:
  /// Nothing has been counted for the grid of this slot, which has so many instructions, or more.
  void add_grid(std::size_t slot, std::size_t instructions) {
    if (grids_.size() <= slot) grids_.resize(slot + 1);
    grids_[slot].is_counted = true;
    grids_[slot].resize(instructions);
  }
  void remove_grid(std::size_t slot) {
    if (slot < grids_.size()) grids_[slot] = {};
  }

  /// Null if the grid did not ask. Until the next call: a trace tells its instructions as it comes to them.
  [[nodiscard]] PcCounters* find(std::size_t slot, Pc pc) {
    if (slot >= grids_.size()) return nullptr;
    OfGrid& grid = grids_[slot];
    return pc < grid.count ? grid.first + pc : find_new(grid, pc);
  }

  /// By pc; empty if the grid did not ask.
  [[nodiscard]] const std::vector<PcCounters>& rows(std::size_t slot) const { return grids_[slot].rows; }

 private:
  /// The counters of one grid, by pc.
  struct OfGrid {
    bool is_counted = false;
    std::vector<PcCounters> rows;
    // The rows once more, since each issue asks for one.
    PcCounters* first = nullptr;
    std::size_t count = 0;

    void resize(std::size_t instructions) {
      rows.resize(instructions);
      first = rows.data();
      count = instructions;
    }
  };

  [[gnu::noinline]] static PcCounters* find_new(OfGrid& grid, Pc pc) {
    if (!grid.is_counted) return nullptr;
    grid.resize(pc + std::size_t{1});
    return grid.first + pc;
  }

  std::vector<OfGrid> grids_;  // by slot
};

/// Null also where nobody counts by instruction.
inline PcCounters* find_counters(PcLedger* ledger, std::size_t slot, Pc pc) {
  return ledger == nullptr ? nullptr : ledger->find(slot, pc);
}

}  // namespace heddle::sim
