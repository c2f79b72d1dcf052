// How an SM's warp slots are held over time: the warp-slot ledger's parts that blocks, not warps, decide.
//
// Slots that no block holds are charged to the grid that came first of those with a block on the SM: as it
// would lose them if it were alone, less what blocks of other grids hold.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/base/types.h"
#include "sim/sm/grid.h"

namespace heddle::sim {

/// The residency of blocks on one SM. It changes when a block starts or ends there.
class Residency {
 public:
  /// Warp slots times cycles, but for the cycles.
  struct Share {
    std::uint64_t active_cycles = 0;   ///< With a block of the grid.
    std::uint64_t resource_limit = 0;  ///< Beyond what its occupancy allows.
    std::uint64_t small_grid = 0;      ///< Beyond what it has blocks for.
    std::uint64_t launch_ramp = 0;     ///< Free before its last block has started anywhere.
    std::uint64_t tail = 0;            ///< Free after that.
  };

  explicit Residency(std::uint32_t warp_slots) : warp_slots_(warp_slots) {}

  /// Adds a grid, of which blocks may come. Its share is empty. `grid` must live as long as its share is
  /// asked for.
  void add(const Grid& grid);
  void block_starts(GridSlot slot, Cycle now);
  void block_ends(GridSlot slot, Cycle now);
  /// Says that no block of the grid starts on any SM after this cycle. To be called before time gets there.
  void set_tail(GridSlot slot, Cycle from) { grids_[slot].tail_from = from; }

  [[nodiscard]] std::uint32_t blocks() const { return blocks_; }
  /// Cycles with a block before `now`, which is not before the last start or end.
  [[nodiscard]] Cycle active_cycles(Cycle now) const {
    return active_cycles_ + (blocks_ != 0 ? now - last_ : 0);
  }
  [[nodiscard]] const Share& share(GridSlot slot) const { return grids_[slot].share; }

 private:
  /// A grid as this SM sees it.
  struct Place {
    const Grid* grid = nullptr;
    std::uint32_t blocks = 0;
    Cycle tail_from = kNever;
    Share share;
  };

  void advance(Cycle now);
  void charge_free(Place& first, Cycle now) const;

  std::uint32_t warp_slots_;
  std::vector<Place> grids_;     // by slot
  std::vector<GridSlot> order_;  // those with a block, as they came
  std::uint32_t blocks_ = 0;
  std::uint32_t held_ = 0;  // warp slots
  Cycle last_ = 0;
  Cycle active_cycles_ = 0;
};

}  // namespace heddle::sim
