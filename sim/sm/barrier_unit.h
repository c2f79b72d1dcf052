// The barrier unit of an SM: the named barriers of the resident blocks, and the warps that wait there.
//
// It takes the warps that come to barriers one after another, of all blocks and whether they wait or not. A
// barrier opens a while after the last of those that it expects was taken.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "isa/base/types.h"
#include "isa/stream/block_barrier.h"
#include "sim/config/gpu_spec.h"
#include "sim/sm/resident_block.h"
#include "sim/sm/scoreboard.h"

namespace heddle::sim {

/// Blocks warps that wait at a barrier, and resumes them when it opens. It changes when a warp arrives or
/// exits.
class BarrierUnit {
 public:
  /// `warps` outlives it.
  BarrierUnit(const BarrierSpec& spec, Scoreboard& warps);

  /// A warp of the block comes. Throws KernelFault if it may not come like this to the barrier: see
  /// BlockBarrier.
  void arrive(WarpSlot slot, const stream::StaticOp& op, const stream::BarrierUse& use,
              const ResidentBlock& block, Cycle now);
  /// A warp of the block has exited; so many have not. Those are not waited for, unless the barrier counts:
  /// an exit that opens one passes the unit as an arrival does.
  void warp_exits(std::uint32_t block, std::uint32_t live_warps, Cycle now);
  /// All warps of the block have exited.
  void end_block(std::uint32_t block);

  [[nodiscard]] bool holds(WarpSlot slot) const { return awaited_[slot] != kNone; }
  /// What a warp that it holds waits for: "waits at barrier 0 of instruction 7, to which 2 of 3 warps have
  /// come".
  [[nodiscard]] std::string describe(WarpSlot slot, std::uint32_t live_warps) const;

 private:
  using Barriers = std::array<stream::BlockBarrier, stream::kBarriersPerBlock>;
  static constexpr std::uint8_t kNone = 0xff;

  [[nodiscard]] stream::BlockBarrier& barrier(std::uint32_t block, unsigned number);
  void require_match(WarpSlot slot, const stream::StaticOp& op, const stream::BarrierUse& use,
                     const ResidentBlock& block);
  Cycle take_arrival(Cycle now);
  void open(std::uint32_t block, unsigned number, Cycle taken, Cycle now);

  BarrierSpec spec_;
  Scoreboard& warps_;
  Cycle free_ = 0;                     // when it has taken all that came
  std::vector<std::uint32_t> closed_;  // by block: bit i: warps have come to barrier i, which has not opened
  std::vector<Barriers> barriers_;     // by block
  std::vector<std::uint8_t> awaited_;  // by warp slot: the barrier that its warp waits at
};

}  // namespace heddle::sim
