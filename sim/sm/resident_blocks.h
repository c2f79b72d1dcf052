// The blocks on an SM, and the warp slots that they hold.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isa/base/pool.h"
#include "isa/base/types.h"
#include "sim/sm/resident_block.h"

namespace heddle::sim {

/// Owns the blocks of one SM and gives them warp slots.
class ResidentBlocks {
 public:
  explicit ResidentBlocks(std::uint32_t warp_slots) : is_held_(warp_slots) {}

  /// Starts a block of so many warps, for which there must be room, and returns its index. It has its warp
  /// slots then. This may move the other blocks in memory.
  std::uint32_t start(BlockId id, std::uint32_t warps, std::uint64_t serial);
  /// Ends a block: its slots are free, and its index may be reused.
  void end(std::uint32_t index);

  [[nodiscard]] ResidentBlock& operator[](std::uint32_t index) { return blocks_[index]; }
  [[nodiscard]] const ResidentBlock& operator[](std::uint32_t index) const { return blocks_[index]; }
  /// All blocks by index, resident or not.
  [[nodiscard]] std::span<const ResidentBlock> all() const { return blocks_.all(); }
  [[nodiscard]] bool hold(WarpSlot slot) const { return is_held_[slot]; }

 private:
  void take_slots(std::uint32_t warps, std::vector<WarpSlot>& slots);

  Pool<ResidentBlock> blocks_;
  std::vector<bool> is_held_;  // by slot
};

}  // namespace heddle::sim
