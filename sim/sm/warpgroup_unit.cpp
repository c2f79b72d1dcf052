#include "sim/sm/warpgroup_unit.h"

#include <algorithm>

namespace heddle::sim {

void WarpgroupUnit::arrive(WarpSlot slot, std::span<const WarpSlot> block, Cycle now) {
  const std::size_t first = warps_[slot].warp_in_block / stream::kWarpgroupWarps * stream::kWarpgroupWarps;
  const std::span<const WarpSlot> group =
      block.subspan(first, std::min<std::size_t>(stream::kWarpgroupWarps, block.size() - first));
  waits_[slot] = true;
  if (!std::all_of(group.begin(), group.end(), [this](WarpSlot each) { return waits_[each]; }))
    return warps_.block(slot, now + 1, ir::StallReason::WarpgroupArrive);
  for (const WarpSlot each : group) {
    waits_[each] = false;
    warps_.resume(each, now + 1, ReadyTime(now + 1, ir::StallReason::WarpgroupArrive));
  }
}

void WarpgroupUnit::start_product(WarpSlot slot, const stream::StaticOp& op, Cycle now) {
  const WarpContext& warp = warps_[slot];
  const Cycle cycles = product_cycles(op);
  const Cycle begin = warps_.sub_partition_of(warp).queue_product(warp.place, now, cycles);
  warps_.book_product(slot, op, now, begin + std::max<Cycle>(cycles, spec_.timing(op.timing_class).latency));
}

/// How long a warp's rows keep its tensor pipe: the class's interval for every eight columns, but no less
/// than shared memory takes to hand the matrices out, which the four warps read together.
Cycle WarpgroupUnit::product_cycles(const stream::StaticOp& op) const {
  constexpr unsigned kColumnsOfGroup = 8;
  constexpr unsigned kRows = 64;      // rows of all four warps
  constexpr unsigned kLine = 16 * 2;  // bytes: a column of the one matrix, a row of the other, 16 elements
  const unsigned lines = kColumnsOfGroup * op.column_groups + (op.has_matrix_in_shared ? kRows : 0U);
  const Cycle reading = divide_up(lines * kLine, spec_.shared.banks * spec_.shared.bank_bytes);
  return std::max(Cycle{spec_.timing(op.timing_class).interval} * op.column_groups, reading);
}

}  // namespace heddle::sim
