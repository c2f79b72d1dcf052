#include "sim/gpu/block_dispatcher.h"

#include <algorithm>

namespace heddle::sim {

BlockDispatcher::BlockDispatcher(const GpuSpec& spec, std::uint64_t blocks, std::uint32_t blocks_per_sm)
    : spec_(spec.dispatch), sms_(spec.sms), blocks_(blocks), blocks_per_sm_(blocks_per_sm) {}

std::vector<BlockStartOrder> BlockDispatcher::fill() {
  std::vector<BlockStartOrder> orders;
  const std::uint64_t places = std::uint64_t{sms_} * blocks_per_sm_;
  while (!all_started() && orders.size() < places) {
    orders.push_back(start(static_cast<SmId>(orders.size() % sms_), spec_.kernel_launch));
  }
  return orders;
}

bool BlockDispatcher::refill(SmId sm, Cycle when, BlockStartOrder& order) {
  if (all_started()) return false;
  order = start(sm, when + spec_.block_launch);
  return true;
}

BlockStartOrder BlockDispatcher::start(SmId sm, Cycle earliest) {
  last_start_ = std::max(earliest, free_at_);
  free_at_ = last_start_ + spec_.block_interval;
  return {last_start_, sm, next_block_++};
}

}  // namespace heddle::sim
