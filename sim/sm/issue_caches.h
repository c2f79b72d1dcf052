// The caches that a warp needs before it issues: those of instructions and the one of constants.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "isa/stream/warp_source.h"
#include "sim/config/gpu_spec.h"
#include "sim/memory/constant_cache.h"
#include "sim/memory/instruction_caches.h"
#include "sim/sm/ready_time.h"
#include "sim/sm/warp_context.h"

namespace heddle::sim {

/// The instruction caches and the constant cache of one SM, asked for each warp that comes to an instruction.
class IssueCaches {
 public:
  explicit IssueCaches(const GpuSpec& spec) : spec_(spec), constants_(spec) {}

  /// Adds a grid, whose kernel has so many instructions (0: not known).
  void add_grid(GridSlot slot, std::uint64_t instructions);
  void remove_grid(GridSlot slot) { code_[slot].reset(); }

  [[nodiscard]] bool has_instruction_caches() const { return instructions_ != nullptr; }
  /// Whether an instruction may have to wait even though it names no constant of bank 3.
  [[nodiscard]] bool may_miss() const { return may_miss_; }
  /// When the caches have what the warp's next instruction needs, not before `from`. The constant is asked
  /// for when the instruction itself is there, because only then it is known.
  ReadyTime ready(const WarpContext& warp, Cycle from);
  /// How many cycles longer than for a hit LDC waits for the constant cache.
  Cycle constants_late(const WarpContext& warp, const stream::StaticOp& op, const stream::WarpStep& step,
                       Cycle now);

 private:
  void make_instruction_caches();

  const GpuSpec& spec_;
  ConstantCache constants_;
  std::unique_ptr<InstructionCaches> instructions_;  // null: all are always there
  std::vector<std::optional<std::uint64_t>> code_;   // by grid slot: how many instructions
  bool may_miss_ = false;
};

}  // namespace heddle::sim
