#include "sim/sm/issue_caches.h"

#include <algorithm>

namespace heddle::sim {

void IssueCaches::add_grid(GridSlot slot, std::uint64_t instructions) {
  if (code_.size() <= slot) code_.resize(slot + std::size_t{1});
  code_[slot] = instructions;
  constants_.add_grid(slot);
  if (instructions_ != nullptr) {
    instructions_->add_grid(slot, instructions);
  } else {
    make_instruction_caches();
  }
  may_miss_ = instructions_ != nullptr || spec_.cold.enabled;
}

/// Once the code of all grids can miss: where nothing can, they need not be asked.
void IssueCaches::make_instruction_caches() {
  std::uint64_t all = 0;
  for (const std::optional<std::uint64_t>& instructions : code_) all += instructions.value_or(0);
  if (!InstructionCaches::can_miss(spec_, all)) return;
  instructions_ = std::make_unique<InstructionCaches>(spec_);
  for (std::size_t slot = 0; slot < code_.size(); ++slot) {
    if (code_[slot]) instructions_->add_grid(slot, *code_[slot]);
  }
}

ReadyTime IssueCaches::ready(const WarpContext& warp, Cycle from) {
  const stream::StaticOp& op = *warp.next;
  ReadyTime ready;
  if (instructions_ != nullptr) {
    from = instructions_->ready(warp.grid, warp.sub_partition, op.pc, from);
    ready = ReadyTime(from, ir::StallReason::NoInstruction);
  }
  if (op.timing_class == ir::TimingClass::LoadConstant) return ready;
  const Cycle named =
      op.constant != stream::kNoConstant ? constants_.ready(warp.grid, op.constant, from) : from;
  const Cycle of_launch = op.names_launch ? constants_.launch_ready(warp.grid, from) : from;
  const Cycle known = std::max(named, of_launch);
  return known > from ? ReadyTime(known, ir::StallReason::ImcMiss) : ready;
}

Cycle IssueCaches::constants_late(const WarpContext& warp, const stream::StaticOp& op,
                                  const stream::WarpStep& step, Cycle now) {
  if (op.timing_class != ir::TimingClass::LoadConstant || step.executed == 0) return 0;
  const bool is_cached = op.constant != stream::kNoConstant;
  const Cycle begin = op.names_launch ? constants_.launch_ready(warp.grid, now) : now;
  if (op.has_constant_address)
    return constants_.ready(warp.grid, step.addresses, step.executed, is_cached, begin) - now;
  return (is_cached ? constants_.ready(warp.grid, op.constant, begin) : begin) - now;
}

}  // namespace heddle::sim
