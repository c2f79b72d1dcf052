// Replays the warps of one SM from a trace.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "isa/stream/wait_repair.h"
#include "isa/stream/warp_source.h"
#include "sim/trace/replay/packed_step.h"
#include "sim/trace/replay/replay_kernel.h"

namespace heddle::trace {

/// A trace may lack what ends a wait. Where nothing else will, the wait that began first ends.
class FirstWaitEnds final : public stream::WaitRepair {
 public:
  [[nodiscard]] std::size_t choose(std::span<const stream::StaticOp* const> /*waiting*/) const override {
    return 0;
  }
};

/// The warp source of one SM. It decodes the instructions of the resident warps.
class ReplaySource final : public stream::WarpSource {
 public:
  /// `kernel` must outlive this.
  ReplaySource(ReplayKernel& kernel, SmId sm, std::uint32_t warp_slots);

  void start_block(BlockId block, std::span<const WarpSlot> slots,
                   std::span<const stream::StaticOp*> first) override;
  const stream::WarpStep& issue(WarpSlot slot, Cycle now) override;
  void end_block(std::span<const WarpSlot> slots) override;
  [[nodiscard]] std::string describe(WarpSlot slot) const override;
  [[nodiscard]] const stream::WaitRepair* wait_repair() const override { return &wait_repair_; }

 private:
  /// A resident warp.
  struct Warp {
    explicit Warp(PackedStore& store) : loaded{PackedWarp(store), 0, nullptr} {}

    Unpacker unpacker;
    const char* end = nullptr;  // end of `piece`
    const stream::StaticOp* next = nullptr;
    std::string piece;
    LoadedWarp loaded;
    std::uint64_t issued = 0;
    std::array<std::uint32_t, 3> block{};  // position in the grid
    std::uint32_t index = 0;               // number in the block
  };

  const stream::AsyncStep* describe_async(const Warp& warp);
  const stream::StaticOp* find_next(Warp& warp);
  LaneMask active_next(const Warp& warp);
  void describe_access(const stream::StaticOp& op, WarpSlot slot);

  ReplayKernel& kernel_;
  std::uint64_t first_slot_;  // first warp slot of this SM in the whole GPU
  FirstWaitEnds wait_repair_;
  std::vector<Warp> warps_;
  TraceStep step_;
  TraceStep ahead_;
  stream::WarpStep told_;  // the WarpStep that describes step_
};

}  // namespace heddle::trace
