// What the load/store unit counts: by grid and, where that is asked for, by instruction.
#pragma once

#include <vector>

#include "sim/ledger/pc_ledger.h"
#include "sim/memory/memory_counters.h"
#include "sim/sm/result_owner.h"

namespace heddle::sim {

/// The counters of one SM's load/store unit.
class LsuCounters {
 public:
  /// Adds a grid, for which nothing has been counted.
  void add_grid(GridSlot slot) {
    if (of_grid_.size() <= slot) of_grid_.resize(slot + std::size_t{1});
    of_grid_[slot] = {};
  }
  /// Sets the ledger by instruction; null: none. Only the grids that it has are counted there.
  void count_in(PcLedger* ledger) { pc_ledger_ = ledger; }

  [[nodiscard]] const MemoryCounters& of(GridSlot grid) const { return of_grid_[grid]; }
  [[nodiscard]] MemoryCounters& of(GridSlot grid) { return of_grid_[grid]; }
  /// Null if nobody counts for the instruction. Until the next call.
  [[nodiscard]] PcCounters* find(GridSlot grid, Pc pc) { return find_counters(pc_ledger_, grid, pc); }
  [[nodiscard]] PcCounters* find(const ResultOwner& owner) { return find(owner.grid, owner.op->pc); }

  /// Calls use(counters) with all that count for the instruction: its grid's, and its own if they are wanted.
  template <typename Use>
  void count(GridSlot grid, Pc pc, Use use) {
    use(of_grid_[grid]);
    if (PcCounters* of_pc = find(grid, pc)) use(of_pc->memory);
  }
  template <typename Use>
  void count(const ResultOwner& owner, Use use) {
    count(owner.grid, owner.op->pc, use);
  }

 private:
  std::vector<MemoryCounters> of_grid_;  // by slot
  PcLedger* pc_ledger_ = nullptr;
};

}  // namespace heddle::sim
