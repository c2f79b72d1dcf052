// Latency hiding: how many warps keep a unit busy while each of them waits for memory.
//
// A warp that waits L cycles for a load and then keeps a unit busy for b uses it b / (L + b) of the time. W
// warps on its scheduler use it W times as much, until it is always busy: min(1, W b / (L + b)). Seen from
// one warp, the others hide W b of its L cycles. L and b are measured in a run of one warp; the simulated
// share is counted in whole periods of a run of W warps, without its beginning and end.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "isa/stream/static_op.h"
#include "sim/config/gpu_spec.h"
#include "sim/events/observer.h"
#include "tools/show/picture.h"

namespace heddle::show {

/// Some whole periods of a warp, from one load to another, and what its scheduler's units did in them.
struct Periods {
  Cycle cycles = 0;
  std::uint64_t loads = 0;  ///< Loads of the warp: the number of periods.
  std::vector<Cycle> busy;  ///< By pipe: cycles for which the sub-partition kept it busy.
};

/// Hears the warps of the first sub-partition of SM 0.
class PeriodObserver final : public sim::Observer {
 public:
  /// Both arguments must outlive this.
  PeriodObserver(const sim::GpuSpec& spec, std::span<const stream::StaticOp> ops) : spec_(spec), ops_(ops) {}

  [[nodiscard]] sim::EventKinds wanted() const override { return {.blocks = false, .memory = false}; }
  void warp_issued(const sim::WarpIssued& issued) override;

  /// The middle half of the loads of warp 0 of block 0. Nothing if it issues fewer than four loads.
  [[nodiscard]] std::optional<Periods> periods() const;

 private:
  struct Use {
    Cycle cycle = 0;
    std::uint8_t pipe = 0;
    std::uint32_t interval = 0;
  };

  const sim::GpuSpec& spec_;
  std::span<const stream::StaticOp> ops_;
  std::vector<Cycle> loads_;
  std::vector<Use> uses_;
};

/// A number of warps: the formula follows from `warps` alone.
struct HidingPoint {
  std::uint64_t warps = 0;           ///< On the SM.
  std::optional<Periods> simulated;  ///< Not set if an SM does not hold so many.
};

/// The picture's facts.
struct Hiding {
  std::string launch;
  std::string gpu;
  std::string unit;      ///< The pipe: "alu".
  std::size_t pipe = 0;  ///< Its index.
  std::uint64_t schedulers = 1;
  double wait = 0;               ///< L, in cycles.
  double busy = 0;               ///< b
  std::uint64_t most_warps = 0;  ///< That an SM holds.
  std::vector<HidingPoint> points;

  /// Cycles of the wait that so many warps hide by the formula, at most all.
  [[nodiscard]] double hidden(std::uint64_t warps) const;
  /// Share of the time in which the unit is busy by the formula.
  [[nodiscard]] double formula(std::uint64_t warps) const;
  /// The least number of warps that hides all of the wait.
  [[nodiscard]] std::uint64_t enough() const;
};

/// L, b and the unit from the periods of one warp. The unit is that which it keeps busy longest, memory
/// aside.
Hiding hiding_of(const Periods& one_warp, const sim::GpuSpec& spec);

/// The share of the time in which the unit was busy.
double simulated_share(const Hiding& hiding, const Periods& periods);

Picture hiding_picture(const Hiding& hiding);

}  // namespace heddle::show
