// The grids that may have blocks on an SM, with their sources of warps, and what the SM itself counts for
// each.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "isa/stream/warp_source.h"
#include "sim/ledger/pc_ledger.h"
#include "sim/ledger/sm_counters.h"
#include "sim/sm/grid.h"
#include "sim/sm/warp_context.h"

namespace heddle::sim {

/// What an SM has for one grid.
struct ResidentGrid {
  const Grid* grid = nullptr;  ///< Null: there is none in this slot.
  std::unique_ptr<stream::WarpSource> source;
  const stream::HostPrefetchable* hints = nullptr;  ///< The source's, if it takes any.
  const stream::WaitRepair* repair = nullptr;       ///< Likewise.
  std::uint64_t partial_issues = 0;                 ///< Issues that not all lanes executed.
  SmCounters counters;
};

/// The grids of one SM, by slot. They change between quanta; the counts do at each issue.
class ResidentGrids {
 public:
  explicit ResidentGrids(std::uint32_t warp_size) : warp_size_(warp_size) {}

  void add(const Grid& grid, std::unique_ptr<stream::WarpSource> source);
  void remove(GridSlot slot) { grids_[slot] = {}; }
  [[nodiscard]] ResidentGrid& operator[](GridSlot slot) { return grids_[slot]; }
  [[nodiscard]] const ResidentGrid& operator[](GridSlot slot) const { return grids_[slot]; }

  // -- what is counted of issued instructions, by instruction, too, for the grids that the ledger has -------
  /// Sets the ledger by instruction; null: none.
  void count_in(PcLedger* ledger) { pc_ledger_ = ledger; }
  /// Counts the lanes of the warp's next instruction, which not all of them executed.
  void count_lanes(const WarpContext& warp, const stream::WarpStep& step);
  void count_branch(const WarpContext& warp, const stream::StaticOp& op, const stream::WarpStep& step);
  /// Completes counters that have the grid's partial issues and its warp instructions: adds the lanes of
  /// issues that all lanes executed, which are not counted one by one.
  void add_whole_issues(GridSlot slot, SmCounters& counters) const;

 private:
  std::uint32_t warp_size_;
  std::vector<ResidentGrid> grids_;  // by slot
  PcLedger* pc_ledger_ = nullptr;
};

}  // namespace heddle::sim
