// The ledgers by instruction of a device: one for each thread that runs SMs, so that they stay few and warm.
//
// An SM takes one for a quantum. Which one it gets decides nothing: sums do not depend on who adds what.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "sim/ledger/pc_ledger.h"
#include "sim/sm/grid.h"

namespace heddle::sim {

/// The pool of ledgers that a device owns. Threads take and give them back during a quantum; grids are added
/// and taken out between quanta.
class PcLedgers {
 public:
  explicit PcLedgers(unsigned threads);

  /// Whether a grid is counted by instruction.
  [[nodiscard]] bool are_wanted() const { return grids_ != 0; }
  /// From now on the grid is, of which so many instructions are known.
  void add_grid(GridSlot slot, std::size_t instructions);
  /// What was counted for the grid, by pc; none if it was not added. It is forgotten.
  std::vector<PcCounters> take_grid(GridSlot slot, unsigned warp_size);

  /// A ledger that nobody else has until it is given back.
  class Lease {
   public:
    explicit Lease(PcLedgers& ledgers) : ledgers_(ledgers), ledger_(ledgers.take()) {}
    ~Lease() { ledgers_.give_back(ledger_); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    [[nodiscard]] PcLedger* get() const { return ledger_; }

   private:
    PcLedgers& ledgers_;
    PcLedger* ledger_;
  };

 private:
  PcLedger* take();
  void give_back(PcLedger* ledger);

  std::vector<std::unique_ptr<PcLedger>> ledgers_;
  std::mutex shared_;  // guards free_
  std::vector<PcLedger*> free_;
  std::vector<bool> counts_;  // by slot
  unsigned grids_ = 0;        // that are counted
};

}  // namespace heddle::sim
