#include "sim/trace/replay/path_lanes.h"

#include <algorithm>

#include "isa/ir/kernel.h"

namespace heddle::trace {

namespace {

/// Whether this is a reconvergence point: lanes wait there for others, and all go on together. The rule of an
/// opcode may map it to another name.
bool lets_lanes_meet(const TraceInstruction& instruction, const stream::StaticOp& op) {
  if (op.timing_class != ir::TimingClass::Branch || op.may_branch) return false;
  return instruction.opcode.starts_with("BSYNC") || instruction.opcode.starts_with("WARPSYNC") ||
         instruction.opcode.starts_with("SYNC");
}

}  // namespace

std::uint32_t PathLanes::at(const TraceLine& line, const stream::StaticOp& op, std::uint32_t live) {
  lanes_ = (line.mask | told_before(line, op)) & live;
  if (!waiting_.empty()) merge_waiting(line.mask);
  before_ = line.instruction;
  jumped_ = line.mask;
  transfer_ = Transfer::FallThrough;
  if (op.may_branch) transfer_ = op.may_scatter ? Transfer::Unknown : Transfer::Jump;
  if (lets_lanes_meet(*line.instruction, op)) {
    transfer_ = Transfer::Reconvergence;
    wait(line);
  }
  return lanes_;
}

/// Whether the instruction directly follows the one before. Up to Pascal, instructions take 8 bytes, and some
/// are followed by a word for the scheduler.
bool PathLanes::follows(const TraceInstruction& instruction) const {
  return before_ != nullptr && instruction.pc > before_->pc &&
         instruction.pc - before_->pc <= ir::kInstructionBytes;
}

/// The lanes that must be on this line's path, judging by the line before. 0 if another path may be
/// executing.
std::uint32_t PathLanes::told_before(const TraceLine& line, const stream::StaticOp& op) {
  const bool is_next = follows(*line.instruction);
  switch (transfer_) {
    case Transfer::Unknown:
      return 0;
    case Transfer::FallThrough:
      return is_next ? lanes_ : 0;
    case Transfer::Reconvergence:
      return is_next ? take_waiting() : 0;
    case Transfer::Jump:
      if (is_next) return (line.mask & jumped_) == 0 ? lanes_ & ~jumped_ : 0;
      // This line is elsewhere. Lanes that jumped may have split (BRA P1), so only a branch is taken to have
      // all of them. For other instructions the mask tells.
      return op.may_branch && line.mask != 0 && (line.mask & ~jumped_) == 0 ? jumped_ : 0;
  }
  return 0;
}

/// All lanes that have arrived at the instruction of the line before.
std::uint32_t PathLanes::take_waiting() {
  const auto found = std::find_if(waiting_.begin(), waiting_.end(),
                                  [this](const Waiting& each) { return each.at == before_; });
  if (found == waiting_.end()) return 0;
  const std::uint32_t lanes = found->lanes;
  waiting_.erase(found);
  return lanes;
}

void PathLanes::wait(const TraceLine& line) {
  const auto found = std::find_if(waiting_.begin(), waiting_.end(),
                                  [&line](const Waiting& each) { return each.at == line.instruction; });
  if (found != waiting_.end()) {
    found->lanes |= line.mask;
  } else if (line.mask != 0) {
    waiting_.push_back({line.instruction, line.mask});
  }
}

/// Lanes that execute something do not wait any more.
void PathLanes::merge_waiting(std::uint32_t lanes) {
  for (Waiting& each : waiting_) each.lanes &= ~lanes;
  std::erase_if(waiting_, [](const Waiting& each) { return each.lanes == 0; });
}

}  // namespace heddle::trace
