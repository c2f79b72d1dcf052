#include "sim/sm/resident_blocks.h"

namespace heddle::sim {

std::uint32_t ResidentBlocks::start(BlockId id, std::uint32_t warps, std::uint64_t serial) {
  const std::uint32_t index = blocks_.take();
  ResidentBlock& block = blocks_[index];
  block.id = id;
  block.serial = serial;
  take_slots(warps, block.slots);
  block.live_warps = block.resident_warps = warps;
  block.finish_times = 0;
  return index;
}

/// The lowest free ones: consecutive warps lie in different sub-partitions.
void ResidentBlocks::take_slots(std::uint32_t warps, std::vector<WarpSlot>& slots) {
  slots.clear();
  for (WarpSlot slot = 0; slots.size() < warps; ++slot) {
    if (is_held_[slot]) continue;
    is_held_[slot] = true;
    slots.push_back(slot);
  }
}

void ResidentBlocks::end(std::uint32_t index) {
  for (const WarpSlot slot : blocks_[index].slots) is_held_[slot] = false;
  blocks_.give_back(index);
}

}  // namespace heddle::sim
