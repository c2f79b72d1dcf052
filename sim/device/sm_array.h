// The SMs of a device, which run a quantum side by side, each by itself.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "isa/base/thread_team.h"
#include "sim/device/pc_ledgers.h"
#include "sim/sm/sm.h"

namespace heddle::sim {

/// Owns the SMs of a device and runs them, on the threads of its team.
class SmArray {
 public:
  /// All of these outlive it. It has no SMs before renew().
  SmArray(const GpuSpec& spec, ThreadTeam& team, PcLedgers& pc_ledgers, bool visit_every_cycle);

  /// All SMs are as new. Those that no block came to are kept: most, where programs launch a few blocks at a time.
  void renew();
  [[nodiscard]] Sm& operator[](SmId id) { return *sms_[id]; }
  [[nodiscard]] const Sm& operator[](SmId id) const { return *sms_[id]; }
  [[nodiscard]] std::size_t size() const { return sms_.size(); }
  [[nodiscard]] auto begin() const { return sms_.begin(); }
  [[nodiscard]] auto end() const { return sms_.end(); }

  /// What the SMs write down for an observer. Changes only between quanta.
  [[nodiscard]] SmWatch& watch() { return watch_; }
  [[nodiscard]] const SmWatch& watch() const { return watch_; }

  // -- grids ------------------------------------------------------------------------------------------------
  void add_grid(const Grid& grid, stream::KernelSource& source);
  void remove_grid(GridSlot slot);
  /// Whether an SM has memory instructions of the grid under way.
  [[nodiscard]] bool hold(GridSlot slot) const;

  // -- time -------------------------------------------------------------------------------------------------
  /// The first cycle in which an SM has something to do, or has a request for the exchange.
  [[nodiscard]] Cycle next();
  /// Runs a quantum. next() must have been called before. If several SMs come to a fault, that of the first
  /// one by number is thrown, with any number of threads; all others run their quantum to its end, too.
  void run(Cycle begin, Cycle end);

 private:
  void run_few(Cycle begin, Cycle end);
  void run_one(Sm& sm, Cycle begin, Cycle end, const Sm* following);

  const GpuSpec& spec_;
  ClassTimings timings_;
  ThreadTeam& team_;
  PcLedgers& pc_ledgers_;
  SmWatch watch_;
  std::vector<std::unique_ptr<Sm>> sms_;
  std::vector<Cycle> wakes_;  // by SM: the first cycle in which it has something to do
  std::vector<Sm*> busy_;     // in a quantum
};

}  // namespace heddle::sim
