// Looks for the instruction that made a warp wait. See costs.h.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "isa/base/types.h"
#include "isa/cfg/flow_graph.h"
#include "isa/ir/kernel.h"
#include "isa/ir/stall_reason.h"
#include "isa/stream/static_op.h"
#include "sim/ledger/pc_counters.h"

namespace heddle::sim {

/// The instructions of one kernel and what was counted of them. Both must outlive it.
class CauseSearch {
 public:
  CauseSearch(const ir::Kernel& kernel, std::span<const PcCounters> by_pc);

  /// What a warp that waits to issue `waiting` for this reason waits for; `waiting` itself if nothing else is
  /// found.
  [[nodiscard]] Pc cause_of(Pc waiting, ir::StallReason reason) const;

  /// By pc: the innermost branch around it at which lanes parted; the pc itself if there is none.
  [[nodiscard]] std::vector<Pc> parting_branches() const;
  /// The last instruction before, in the order of the text, at which some lanes may exit; else the pc itself.
  [[nodiscard]] Pc exit_before(Pc pc) const;
  /// What decided that the guard of the instruction switches lanes off; the instruction itself if it is a
  /// branch or an EXIT, for which the guard is the decision.
  [[nodiscard]] Pc decider_of_guard(Pc pc) const;
  /// Whether its result comes back to it by registers: then each time it needs the result of the last time.
  [[nodiscard]] bool feeds_itself(Pc pc) const;
  /// Whether it is at least the fourth of instructions of fixed latency each of which needs the result of the
  /// one before.
  [[nodiscard]] bool ends_long_chain(Pc pc) const;
  /// The access that memory is busy with for longest when warps have ended: they wait for none of these.
  [[nodiscard]] std::optional<Pc> unanswered() const;

 private:
  using Test = std::function<bool(Pc)>;

  /// Calls `test` for the instructions before `pc`, by all paths; a path ends where it is true. Each block is
  /// visited once.
  void walk_back(Pc pc, const Test& test) const;
  [[nodiscard]] std::optional<Pc> writer(Pc waiting, ir::StallReason reason) const;
  [[nodiscard]] std::optional<Pc> last_before(Pc waiting, const Test& test) const;
  /// The instruction that passes the test for which `weight` is greatest, and not 0.
  template <typename Weight>
  [[nodiscard]] std::optional<Pc> greatest(const Test& test, Weight weight) const;
  /// What waits behind accesses that most of the traffic is wasted by waits for these.
  [[nodiscard]] Pc behind_waste(Pc cause, ir::StallReason reason) const;
  [[nodiscard]] std::optional<Pc> filler_of_queue(Pc waiting, ir::StallReason throttle) const;
  [[nodiscard]] double pipe_cycles(Pc pc) const;
  [[nodiscard]] ir::StallReason stall_of_waiter(Pc pc) const {
    return ir::info(ops_[pc].timing_class).waiter_stall;
  }

  const ir::Kernel& kernel_;
  std::span<const PcCounters> by_pc_;
  std::vector<stream::StaticOp> ops_;
  cfg::FlowGraph graph_;
  std::optional<Pc> scattered_;    // more than half of all sectors are in excess because of it
  std::optional<Pc> conflicting_;  // likewise, passes over the banks
};

}  // namespace heddle::sim
