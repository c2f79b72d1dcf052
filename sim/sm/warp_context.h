// What an SM knows of the warp in one of its slots. The values in its registers are the source's.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/base/types.h"
#include "isa/stream/warp_source.h"
#include "sim/sm/copy_groups.h"
#include "sim/sm/grid.h"
#include "sim/sm/ready_time.h"

namespace heddle::sim {

/// The timing state of one warp slot; the Scoreboard owns all of an SM. What each issue asks for lies in the
/// first line of the host's cache.
struct alignas(64) WarpContext {
  const stream::StaticOp* next = nullptr;  ///< Null: the slot is free or its warp has finished.
  stream::WarpSource* source = nullptr;  ///< Its grid's source; null: no grid that is left has used the slot.
  std::vector<ReadyTime> results;        ///< By register slot: when it can be read or written.
  std::uint64_t age = 0;
  LaneMask lanes = 0;              ///< The lanes that the warp began with.
  std::uint16_t block = 0;         ///< Its index on the SM.
  std::uint8_t sub_partition = 0;  ///< Slot modulo sub-partitions: where the slot lies.
  std::uint8_t place = 0;          ///< Slot divided by them: its number there.
  GridSlot grid = 0;               ///< The slot of its grid, where it has a source.
  bool waits_for_result = false;   ///< It is blocked until a completion.
  bool waits_for_memory = false;   ///< That completion may need data from L2.

  Cycle start = 0;
  Pc last_pc = 0;  ///< The pc of its last instruction, once that has issued.
  std::uint32_t warp_in_block = 0;
  ReadyTime earliest;         ///< What else holds back a warp that waits for a result.
  bool drains = false;        ///< It has exited, but still has memory accesses under way.
  bool has_products = false;  ///< Products of its warpgroup may be under way.
  CopyGroups copies;

  /// The instruction that it waits to issue; after its last one, that.
  [[nodiscard]] Pc awaited_pc() const { return next != nullptr ? next->pc : last_pc; }
};

}  // namespace heddle::sim
