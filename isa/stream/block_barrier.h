// One named barrier of a block: which warps have come, and when it opens. Runs with and without time share
// these rules.
//
// A barrier counts the warps that wait there (BAR.SYNC) and those that only arrive (BAR.ARV). With a count it
// opens when so many have come; without one, when all warps that have not exited have. Then it begins anew.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/ir/instruction.h"
#include "isa/stream/warp_source.h"

namespace heddle::stream {

/// How many named barriers a block has, as on every GPU since compute capability 2.0.
inline constexpr unsigned kBarriersPerBlock = ir::kMaxBlockBarrier + 1;

/// The state of one barrier between two openings.
class BlockBarrier {
 public:
  /// What is wrong with an arrival like this; empty if nothing is. All warps must name the same count, and
  /// either all or none of them reduce. If they name no count, they must come by the same instruction, as
  /// __syncthreads() asks for, unless the use says that they may come anywhere.
  [[nodiscard]] std::string mismatch(const StaticOp& op, const BarrierUse& use) const;

  /// A warp comes. It waits unless it only arrives.
  void arrive(const StaticOp& op, const BarrierUse& use, WarpSlot slot);

  /// Whether the barrier opens, for a block with so many live warps.
  [[nodiscard]] bool is_complete(std::uint32_t live_warps) const {
    return arrived_ != 0 && arrived_ >= expected(live_warps);
  }
  [[nodiscard]] const std::vector<WarpSlot>& waiting() const { return waiting_; }
  /// Begins anew: no warp has come. Keeps its memory.
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
