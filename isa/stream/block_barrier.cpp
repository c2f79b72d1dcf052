#include "isa/stream/block_barrier.h"

#include <fmt/format.h>

namespace heddle::stream {

namespace {

std::string count_text(std::uint32_t warps) {
  return warps == 0 ? std::string("all warps") : fmt::format("{} warps", warps);
}

}  // namespace

std::string BlockBarrier::mismatch(const StaticOp& op, const BarrierUse& use) const {
  if (arrived_ == 0 || use.is_trusted) return {};
  if (use.warps != warps_) {
    return fmt::format("instruction {} lets {} meet, instruction {}, by which others have come, {}", op.pc,
                       count_text(use.warps), pc_, count_text(warps_));
  }
  if ((op.kind == OpKind::BarrierReduce) != reduces_) {
    return fmt::format("of instructions {} and {} only one is a reduction", op.pc, pc_);
  }
  if (use.warps == 0 && !use.is_anywhere && op.pc != pc_) {
    return fmt::format("a warp comes by instruction {}, others have come by instruction {}", op.pc, pc_);
  }
  return {};
}

void BlockBarrier::arrive(const StaticOp& op, const BarrierUse& use, WarpSlot slot) {
  if (arrived_++ == 0) {
    pc_ = op.pc;
    warps_ = use.warps;
    reduces_ = op.kind == OpKind::BarrierReduce;
  }
  if (op.kind != OpKind::BarrierArrive) waiting_.push_back(slot);
}

void BlockBarrier::open() {
  arrived_ = 0;
  waiting_.clear();
}

std::string BlockBarrier::describe(std::uint32_t live_warps) const {
  return fmt::format("of instruction {}, to which {} of {} warps have come", pc_, arrived_,
                     expected(live_warps));
}

}  // namespace heddle::stream
