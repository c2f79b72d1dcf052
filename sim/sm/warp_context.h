// What an SM knows of the warp in one of its slots; what it computes with is the source's.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/base/types.h"
#include "isa/stream/warp_source.h"
#include "sim/sm/copy_groups.h"
#include "sim/sm/grid.h"
#include "sim/sm/ready_time.h"

namespace heddle::sim {

/// What each issue asks for lies in the first line of the host's cache.
struct alignas(64) WarpContext {
  const stream::StaticOp* next = nullptr;  ///< Null: the slot is free or its warp has finished.
  stream::WarpSource* source = nullptr;    ///< Of its grid; null: no grid that is left has used the slot.
  std::vector<ReadyTime> results;          ///< By register slot: when it can be read or written.
  std::uint64_t age = 0;
  LaneMask lanes = 0;               ///< That ever existed.
  std::uint16_t block = 0;          ///< Its index on the SM.
  std::uint8_t sub_partition = 0;   ///< Slot modulo sub-partitions: where the slot lies.
  std::uint8_t place = 0;           ///< Slot divided by them: its number there.
  GridSlot grid = 0;                ///< Of the source, where there is one.
  bool waits_for_result = false;    ///< Blocked until a completion,
  bool waits_for_memory = false;    ///< which L1 may have to ask L2 for.

  Cycle start = 0;
  Pc last_pc = 0;  ///< Of its last instruction, once that has issued.
  std::uint32_t warp_in_block = 0;
  ReadyTime earliest;         ///< Of a warp that waits for a result: what else holds it back.
  bool drains = false;        ///< Has exited, but not left.
  bool has_products = false;  ///< There may be some under way.
  CopyGroups copies;

  /// Of the instruction that it waits to issue; after its last one, of that.
  [[nodiscard]] Pc awaited_pc() const { return next != nullptr ? next->pc : last_pc; }
};

}  // namespace heddle::sim
