// The warps of an SM and their scoreboards: when the next instruction of each warp can issue.
//
// A warp that has issued waits for the registers of its next instruction, in few cases for more. One whose
// instructions have control codes waits for no register, but for the dependence barriers that the next code
// names, and for the last one's stall count. The barriers take the places of the first slots among its
// results. If all the times are known it is handed to its sub-partition, to be ready at the latest of them;
// if one is not, it is blocked until complete() or resume() is called for it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "isa/base/types.h"
#include "isa/stream/warp_source.h"
#include "sim/config/gpu_spec.h"
#include "sim/sm/class_timings.h"
#include "sim/sm/dependence_barriers.h"
#include "sim/sm/issue_caches.h"
#include "sim/sm/ready_time.h"
#include "sim/sm/sub_partition.h"
#include "sim/sm/warp_context.h"
#include "sim/sm/warpgroup_products.h"

namespace heddle::sim {

/// When the warp may issue its next instruction after one that issues at `now`: in the next cycle, if no
/// control code counts more.
inline ReadyTime stall_after(const stream::StaticOp& op, Cycle now) {
  return {now + std::max<Cycle>(op.stall, 1), ir::StallReason::Wait};
}

/// A warp as it starts.
struct WarpStart {
  const stream::StaticOp* first = nullptr;
  stream::WarpSource* source = nullptr;
  GridSlot grid = 0;
  std::uint32_t block = 0;  ///< Its index on the SM.
  std::uint32_t warp_in_block = 0;
  std::uint64_t age = 0;
  std::uint32_t register_slots = 0;
};

/// The scoreboards of all warps of an SM. They change at each issue, and when the load/store unit or another
/// unit says when something is done.
class Scoreboard {
 public:
  /// All of these outlive it.
  Scoreboard(const GpuSpec& spec, const ClassTimings& timings, std::vector<SubPartition>& sub_partitions,
             IssueCaches& caches);

  [[nodiscard]] WarpContext& operator[](WarpSlot slot) { return warps_[slot]; }
  [[nodiscard]] const WarpContext& operator[](WarpSlot slot) const { return warps_[slot]; }
  /// All warp contexts by slot, whether there is a warp or not.
  [[nodiscard]] const std::vector<WarpContext>& all() const { return warps_; }
  [[nodiscard]] SubPartition& sub_partition_of(const WarpContext& warp) {
    return sub_partitions_[warp.sub_partition];
  }

  // -- the life of a warp -----------------------------------------------------------------------------------
  /// Adds or removes the source of a grid. Free slots without a grid get the source of the one that is added:
  /// host prefetching asks for it before the first block has started.
  void add_source(GridSlot grid, stream::WarpSource& source);
  void remove_source(const stream::WarpSource& source);
  /// Starts a warp in the slot. resume() must follow.
  void start(WarpSlot slot, const WarpStart& start, Cycle now);
  /// The warp is gone from `at` on.
  void retire(WarpSlot slot, Cycle at) { sub_partition_of(warps_[slot]).retire(warps_[slot].place, at); }

  // -- after an issue ---------------------------------------------------------------------------------------
  /// Notes when the registers that the instruction writes can be used.
  static void book_results(WarpContext& warp, const stream::StaticOp& op, const ClassTiming& timing,
                           Cycle now);
  /// The same of an instruction with a control code: the barriers that it raises. It has read its sources at
  /// `read_at`, and its result comes as of one that issued at `now`.
  void raise_barriers(WarpSlot slot, const stream::StaticOp& op, const ClassTiming& timing, Cycle now,
                      Cycle read_at);
  /// A product of the warp's issues at `now` and is done later; then its sums can be used.
  void book_product(WarpSlot slot, const stream::StaticOp& op, Cycle now, Cycle done);

  /// How a warp comes to wait for operands. Fast: after an issue on an SM whose caches cannot miss and whose
  /// issues no observer hears of. General: after any issue. HeldBack: after it has waited for something else.
  enum class IssuePath : std::uint8_t { Fast, General, HeldBack };
  /// From `from` on the warp waits for its next instruction's operands, and for `earliest`.
  template <IssuePath kPath>
  void wait_for_operands(SubPartition& sub_partition, WarpContext& warp, WarpSlot slot, Cycle from,
                         ReadyTime earliest);

  // -- what holds a warp back, and resumes it ---------------------------------------------------------------
  /// Blocks the warp from `from` on, until resume().
  void block(WarpSlot slot, Cycle from, ir::StallReason reason) {
    sub_partition_of(warps_[slot]).block(warps_[slot].place, from, reason);
  }
  /// From `from` on nothing holds the warp back but its operands, and `earliest`.
  void resume(WarpSlot slot, Cycle from, ReadyTime earliest);
  /// The results of an instruction of the warp's can be used from `ready` on.
  void complete(WarpSlot slot, const stream::StaticOp& op, ReadyTime ready, Cycle now);

 private:
  [[nodiscard]] ReadyTime many_ready(const WarpContext& warp, WarpSlot slot, Cycle from);
  [[nodiscard]] ReadyTime more_waits(const WarpContext& warp, WarpSlot slot) const;
  [[nodiscard]] ReadyTime sums_wait(const WarpContext& warp) const;

  const ClassTimings& timings_;
  std::vector<SubPartition>& sub_partitions_;
  IssueCaches& caches_;
  std::vector<WarpContext> warps_;
  std::vector<WarpgroupProducts> products_;  // beside warps_
  std::vector<DependenceBarriers>
      barriers_;  // beside warps_, for warps whose instructions have control codes
};

/// Inlined, for each issue ends with it.
template <Scoreboard::IssuePath kPath>
[[gnu::always_inline]] inline void Scoreboard::wait_for_operands(SubPartition& sub_partition,
                                                                 WarpContext& warp, WarpSlot slot, Cycle from,
                                                                 ReadyTime earliest) {
  const stream::StaticOp& op = *warp.next;
  const ClassTiming& timing = timings_.of(op.timing_class);
  const auto result = [bypass = timing.bypass, results = warp.results.data()](ir::RegisterSlot of) {
    return results[of].across(bypass);
  };
  static_assert(ir::SlotList::kUsual == 4);
  const ir::SlotList& slots = op.waits_for;
  ReadyTime ready = later_of(
      later_of(later_of(result(slots[0]), result(slots[1])), later_of(result(slots[2]), result(slots[3]))),
      earliest);
  if (!op.waits_for_few || (kPath != IssuePath::Fast && caches_.may_miss()))
    ready = later_of(ready, many_ready(warp, slot, from));
  if (ready.is_pending()) {
    warp.waits_for_result = true;
    warp.waits_for_memory = ready.reason() == ir::StallReason::LongScoreboard;
    warp.earliest = earliest;
    sub_partition.block(warp.place, from, ready.reason());
  } else if constexpr (kPath == IssuePath::HeldBack) {
    sub_partition.wait(warp.place, from, ready, timing);
  } else {
    sub_partition.schedule(warp.place, from, ready, timing);
  }
}

}  // namespace heddle::sim
