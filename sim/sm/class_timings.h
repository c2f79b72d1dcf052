// What the timing classes mean on a GPU: the pipes they take, and when their results can be used, by whom.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "isa/ir/timing_class.h"
#include "sim/config/gpu_spec.h"
#include "sim/sm/ready_time.h"
#include "sim/sm/warp_set.h"

namespace heddle::sim {

/// Where instructions run: in the first of these pipes that is free. If it names no pipe, nobody asks.
struct PipeChoice {
  std::uint8_t count = 0;
  /// The only one stands twice: two can always be read.
  std::array<std::uint8_t, kMostPipesOfClass> order{};

  PipeChoice() = default;
  explicit PipeChoice(std::span<const std::uint8_t> pipes) : count(static_cast<std::uint8_t>(pipes.size())) {
    std::copy(pipes.begin(), pipes.end(), order.begin());
    if (count == 1) order[1] = order[0];
  }

  friend bool operator==(const PipeChoice&, const PipeChoice&) = default;
};

static_assert(kMostPipesOfClass >= 2);

/// Timing classes that are held up together: by the same pipes, or the same queue, for the same reason.
struct alignas(16) PipeGroup {
  PipeChoice pipes;
  ir::StallReason throttle = ir::StallReason::MathPipeThrottle;  ///< While there is no pipe or no room.
  bool uses_mio = false;

  friend bool operator==(const PipeGroup&, const PipeGroup&) = default;
};

/// What an instruction asks of the pipes, and what its warp waits for before it can issue. One 64-bit word.
struct alignas(8) IssueDemand {
  std::uint32_t interval = 1;                                    ///< Cycles for which it keeps its pipe.
  std::uint8_t group = 0;                                        ///< Its PipeGroup.
  ir::StallReason throttle = ir::StallReason::MathPipeThrottle;  ///< Why it waits for the group.
  // These two are set for each warp, and are not the class's.
  ir::StallReason reason = ir::StallReason::Wait;      ///< What it waits for until it is ready.
  ir::StallReason blocked_by = ir::StallReason::Wait;  ///< What held it back before that.
};

/// All that an issue asks of its class lies in one line of the host's cache.
struct alignas(64) ClassTiming {
  bool is_told_later = false;  ///< When results can be used the load/store unit tells; else:
  ReadyTime result;            ///< After an issue at 0, as operands of the same unit,
  ReadyTime guard;             ///< and as guards.
  BypassDelays bypass;         ///< How much longer it waits itself for results of other units.
  IssueDemand demand;
};

/// The timings of all classes on a GPU. All SMs share one table, which does not change.
class ClassTimings {
 public:
  explicit ClassTimings(const SmSpec& spec);

  [[nodiscard]] const ClassTiming& of(ir::TimingClass timing_class) const {
    return timings_[static_cast<std::size_t>(timing_class)];
  }
  [[nodiscard]] const PipeGroup& group(unsigned number) const { return groups_[number]; }
  /// The groups that go to the MIO queue.
  [[nodiscard]] GroupSet mio_groups() const { return mio_groups_; }
  /// The groups for global and local memory.
  [[nodiscard]] GroupSet global_groups() const { return global_groups_; }

  /// How many pipes there are. They are numbered as in the GPU file, and behind them is one in which
  /// warpgroup products issue.
  [[nodiscard]] std::size_t pipes() const { return pipes_; }
  /// The pipe that warpgroup products queue for once they have issued.
  [[nodiscard]] std::uint8_t product_pipe() const { return product_pipe_; }

 private:
  [[nodiscard]] std::uint8_t find_group(const PipeGroup& group);

  std::array<ClassTiming, ir::kTimingClasses> timings_;
  std::array<PipeGroup, ir::kTimingClasses> groups_;
  GroupSet mio_groups_ = 0;
  GroupSet global_groups_ = 0;
  std::uint8_t group_count_ = 0;
  std::uint8_t product_pipe_ = 0;
  std::size_t pipes_;
};

}  // namespace heddle::sim
