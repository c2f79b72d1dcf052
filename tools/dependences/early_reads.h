// Whether machine code reads values before they are there: hardware would not say so, and neither does the
// model, which computes each value when its instruction issues. This observer of a run looks at each read.
//
// A value with a write barrier is there when its warp has waited for the barrier, or when its latency is
// over. One without is there when its latency is over; if it comes from the load/store unit, which answers
// instructions of a class in their order, when a later one's barrier has been waited for. Latencies are those
// of the GPU's file, in cycles, from issue to issue. What other lanes have written is not looked at.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "isa/ir/kernel.h"
#include "isa/ir/register_use.h"
#include "sim/events/observer.h"
#include "sim/sm/class_timings.h"

namespace heddle::dependences {

/// What was read too early, by one instruction of a value that another one makes.
struct EarlyRead {
  Pc pc = 0;
  Pc producer = 0;
  ir::RegisterSlot slot = 0;  ///< A register, predicate or guard.
  Cycle cycles = 0;           ///< How much too early, at worst; 0: its barrier was not waited for.
  std::uint64_t count = 0;    ///< Warp instructions that did so.
};

/// Listens to the run of one kernel whose instructions have control codes.
class EarlyReads final : public sim::Observer {
 public:
  /// The kernel must outlive it.
  EarlyReads(const ir::Kernel& kernel, const sim::ClassTimings& timings);

  [[nodiscard]] sim::EventKinds wanted() const override { return {.blocks = false, .memory = false}; }
  void warp_issued(const sim::WarpIssued& event) override;

  /// How many reads there were of values that a warp has made.
  [[nodiscard]] std::uint64_t reads() const { return reads_; }
  /// By the reader, then the producer.
  [[nodiscard]] std::vector<EarlyRead> found() const;

 private:
  /// What lies in a slot.
  struct Value {
    Pc producer = 0;
    Cycle issued = 0;
    LaneMask lanes = 0;  ///< Those that have it; none: there is no value.
    bool is_awaited = false;
  };
  /// What the warp in a slot of an SM has made.
  struct Warp {
    BlockId block = 0;
    std::uint32_t warp_in_block = 0;
    std::vector<Value> values;                ///< By register slot.
    std::vector<ir::RegisterSlot> unawaited;  ///< Slots with values that a barrier may be waited for.
  };
  /// What it has to know of an instruction.
  struct Row {
    ir::RegisterUse use;
    const sim::ClassTiming* timing = nullptr;
    ir::TimingClass timing_class = ir::TimingClass::Nop;
    ir::ControlCode control;

    [[nodiscard]] bool has_barrier() const { return control.write_barrier < ir::kDependenceBarriers; }
  };

  void await(const Row& row, Warp& warp) const;
  void read(const sim::WarpIssued& event, const Row& row, const Warp& warp);
  void write(const sim::WarpIssued& event, const Row& row, Warp& warp) const;
  [[nodiscard]] bool is_there(const Value& value, bool is_guard, const Row& reader, Cycle now,
                              Cycle& early) const;

  std::vector<Row> rows_;  // by Pc
  std::map<std::pair<SmId, WarpSlot>, Warp> warps_;
  std::map<std::array<std::uint32_t, 3>, EarlyRead> found_;  // by reader, producer, slot
  std::uint64_t reads_ = 0;
};

}  // namespace heddle::dependences
