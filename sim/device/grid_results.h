// The results of a device's grids, and its totals.
#pragma once

#include <map>
#include <vector>

#include "sim/device/grid_run.h"
#include "sim/device/pc_ledgers.h"
#include "sim/device/run_result.h"
#include "sim/device/sm_array.h"
#include "sim/memory/l2_and_dram.h"

namespace heddle::sim {

/// Keeps the results of grids until they are asked for, and sums them. Grids enter it when they end.
class GridResults {
 public:
  /// `spec` outlives it.
  explicit GridResults(const GpuSpec& spec);

  // -- while grids run --------------------------------------------------------------------------------------
  /// A grid runs from `now` on, after a time without one, on SMs that have counted nothing.
  void begin(Cycle now);
  /// Charges the time up to `end` in which SMs had no block to the grid that came first of those that run.
  void charge_idle_sms(RunningGrid& first, const SmArray& sms, Cycle end);
  /// Keeps the result of a grid that has ended and whose idle SMs are charged. Takes its counters from the
  /// ledger by instruction.
  void end_grid(const RunningGrid& grid, const SmArray& sms, const L2AndDram& memory, PcLedgers& pc_ledgers);

  // -- grids that have ended --------------------------------------------------------------------------------
  [[nodiscard]] bool has(GridId grid) const { return ended_.contains(grid); }
  [[nodiscard]] const GridRun& of(GridId grid) const { return ended_.at(grid); }
  /// The same, which is then forgotten.
  GridRun take(GridId grid);
  [[nodiscard]] const DeviceTotals& totals() const { return totals_; }

 private:
  void add_to_totals(const RunResult& result);

  const GpuSpec& spec_;
  std::map<GridId, GridRun> ended_;
  DeviceTotals totals_;
  Cycle first_since_ = 0;             // since when the first of the grids has been the first,
  std::vector<Cycle> active_before_;  // and how long SMs had been active then
};

}  // namespace heddle::sim
