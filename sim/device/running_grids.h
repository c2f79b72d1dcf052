// The grids that run on a device at once, each in its slot.
#pragma once

#include <memory>
#include <vector>

#include "sim/config/gpu_spec.h"
#include "sim/device/grid_run.h"

namespace heddle::sim {

/// Owns the grids of a device from launch to end. It changes between quanta.
class RunningGrids {
 public:
  /// `spec` outlives it.
  explicit RunningGrids(const GpuSpec& spec) : spec_(spec) {}

  /// Launches the grid at `now`, in a free slot. There must be one.
  RunningGrid& launch(GridId id, const SubmittedGrid& submitted, Cycle now);
  void remove(GridSlot slot);

  [[nodiscard]] bool are_none() const { return order_.empty(); }
  /// The slots of the grids, in the order of their launches.
  [[nodiscard]] const std::vector<GridSlot>& order() const { return order_; }
  [[nodiscard]] RunningGrid& operator[](GridSlot slot) { return *running_[slot]; }
  [[nodiscard]] const RunningGrid& operator[](GridSlot slot) const { return *running_[slot]; }
  /// The running grid that was launched first.
  [[nodiscard]] RunningGrid& first() { return *running_[order_.front()]; }
  [[nodiscard]] const RunningGrid& first() const { return *running_[order_.front()]; }

  /// The earliest end of a grid that is known; kNever if none is.
  [[nodiscard]] Cycle next_end() const;
  /// The earliest limit of the grids that still have blocks; kNever if none has a limit.
  [[nodiscard]] Cycle first_limit() const;

 private:
  [[nodiscard]] GridSlot free_slot() const;

  const GpuSpec& spec_;
  std::vector<std::unique_ptr<RunningGrid>> running_;  // by slot
  std::vector<GridSlot> order_;
};

}  // namespace heddle::sim
