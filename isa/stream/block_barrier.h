// One named barrier of a block: who has come, and when it opens. The rules that runs with and without time
// share.
//
// A barrier counts warps: those that wait there, and those that only let know that they have come. With a
// count it opens when so many have come; without one, when all have that have not exited. Then it is as new.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/ir/instruction.h"
#include "isa/stream/warp_source.h"

namespace heddle::stream {

/// Named barriers a block has, as on every GPU since compute capability 2.0.
inline constexpr unsigned kBarriersPerBlock = ir::kMaxBlockBarrier + 1;

/// The state of one barrier between two openings.
class BlockBarrier {
 public:
  /// What is wrong with a warp that comes like this; empty if nothing is. All that meet must name the same
  /// count and either reduce or not; where they name none, they must come by one instruction, as
  /// __syncthreads() asks for.
  [[nodiscard]] std::string mismatch(const StaticOp& op, const BarrierUse& use) const;

  /// A warp comes; it waits unless it only arrives.
  void arrive(const StaticOp& op, const BarrierUse& use, WarpSlot slot);

  /// Whether it opens, for a block of which so many warps have not exited.
  [[nodiscard]] bool is_complete(std::uint32_t live_warps) const {
    return arrived_ != 0 && arrived_ >= expected(live_warps);
  }
  [[nodiscard]] const std::vector<WarpSlot>& waiting() const { return waiting_; }
  /// Forgets who came. Keeps its memory.
  void open();

  /// "of instruction 7, to which 2 of 3 warps have come"
  [[nodiscard]] std::string describe(std::uint32_t live_warps) const;

 private:
  [[nodiscard]] std::uint32_t expected(std::uint32_t live_warps) const {
    return warps_ != 0 ? warps_ : live_warps;
  }

  Pc pc_ = 0;  // where the first warp came
  std::uint32_t warps_ = 0;
  bool reduces_ = false;
  std::uint32_t arrived_ = 0;
  std::vector<WarpSlot> waiting_;
};

}  // namespace heddle::stream
