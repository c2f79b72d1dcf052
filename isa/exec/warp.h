// One warp in execution: registers, predicates, and where its lanes stand.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hwy/aligned_allocator.h"
#include "isa/base/types.h"
#include "isa/exec/barrier_round.h"
#include "isa/exec/call_stacks.h"
#include "isa/exec/paths.h"
#include "isa/exec/predicates.h"
#include "isa/exec/spin_watch.h"
#include "isa/ir/register_use.h"
#include "isa/stream/block_barrier.h"

namespace heddle::exec {

/// What the warps of a block share.
struct BlockContext {
  BlockId block = 0;
  std::vector<std::byte> shared;
  /// The last reduction round of each barrier.
  std::array<std::shared_ptr<BarrierRound>, stream::kBarriersPerBlock> rounds;
};

/// A warp of an executed kernel: its registers, its paths, and where it is in its loops and calls. What most instructions
/// ask for comes first.
struct alignas(64) Warp {
  static constexpr std::size_t kHotBytes = 192;       ///< Up to the path that runs.
  static constexpr std::size_t kDivergedBytes = 448;  ///< Up to `calls`, for warps whose lanes stand apart.

  hwy::AlignedFreeUniquePtr<std::uint32_t[]> registers;  ///< DecodedLaunch::warp_rows rows.
  std::uint32_t warp_in_block = 0;
  std::uint32_t block_context = 0;       ///< Index of the BlockContext.
  std::uint32_t jumps_back = 0;          ///< Jumps back that all lanes made together.
  Predicates predicates{};
  Paths paths;
  LaneSpin lane_spin;  ///< Whether other paths should have their turn.
  CallStacks calls;
  WarpSpin spin;                              ///< Whether the warp waits for others.
  std::vector<std::byte> local;               ///< Local memory of each lane in turn.
  LaneMask given = 0;                         ///< What its lanes gave to a barrier reduction last.
  std::shared_ptr<const BarrierRound> round;  ///< The barrier reduction that it took part in last;
  ir::Modifier reduction = ir::Modifier::BarrierReductionPopc;  ///< and what it asked for.
  std::vector<LaneMask> written;    ///< By register slot; empty unless reads are watched.

  [[nodiscard]] LaneMask predicate(std::uint8_t index, bool negated) const {
    return negated ? ~predicates[index] : predicates[index];
  }
  /// Sets a predicate in the lanes that execute. A uniform predicate is set for all lanes; a write to PT or UPT is lost.
  void set_predicate(std::uint8_t index, LaneMask holds, LaneMask executed) {
    if (ir::is_true_predicate(index)) return;
    if (ir::is_uniform_predicate(index)) {
      predicates[index] = (holds & executed) != 0 ? ~LaneMask{0} : 0;
      return;
    }
    predicates[index] = (predicates[index] & ~executed) | (holds & executed);
  }
};

}  // namespace heddle::exec
