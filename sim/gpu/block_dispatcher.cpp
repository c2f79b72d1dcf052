#include "sim/gpu/block_dispatcher.h"

#include <algorithm>

namespace heddle::sim {

BlockDispatcher::BlockDispatcher(const GpuSpec& spec, std::uint64_t blocks, std::uint32_t blocks_per_sm)
    : kernel_launch_(spec.dispatch.kernel_launch),
      block_launch_(spec.dispatch.block_launch),
      block_interval_(nearest_ticks(spec.dispatch.block_interval)),
      sms_(spec.sms),
      blocks_(blocks),
      blocks_per_sm_(blocks_per_sm) {}

std::vector<BlockStartOrder> BlockDispatcher::fill() {
  std::vector<BlockStartOrder> orders;
  const std::uint64_t places = std::uint64_t{sms_} * blocks_per_sm_;
  while (!all_started() && orders.size() < places) {
    orders.push_back(start(static_cast<SmId>(orders.size() % sms_), kernel_launch_));
  }
  return orders;
}

bool BlockDispatcher::refill(SmId sm, Cycle when, BlockStartOrder& order) {
  if (all_started()) return false;
  order = start(sm, when + block_launch_);
  return true;
}

BlockStartOrder BlockDispatcher::start(SmId sm, Cycle earliest) {
  const Tick at = std::max(to_ticks(earliest), free_at_);
  free_at_ = at + block_interval_;
  last_start_ = at / kTicksPerCycle;
  return {last_start_, sm, next_block_++};
}

}  // namespace heddle::sim
