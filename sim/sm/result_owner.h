// Who waits for what the load/store unit has under way, and what it says when the time is known.
#pragma once

#include <cstdint>

#include "isa/stream/static_op.h"
#include "sim/sm/grid.h"
#include "sim/sm/ready_time.h"

namespace heddle::sim {

/// The warp and the instruction that wait for a result. The warp may have left, and another taken its slot,
/// before its load comes back: `age` tells them apart.
struct ResultOwner {
  std::uint16_t slot = 0;  ///< The warp's slot.
  GridSlot grid = 0;
  std::uint32_t copy_group = 0;  ///< A copy's batch (CopyGroups), or the number of a bulk copy.
  std::uint64_t age = 0;
  const stream::StaticOp* op = nullptr;
};

/// The registers that an instruction writes can be used from `ready` on; or its copy or fence is done then.
struct Completion {
  ResultOwner owner;
  ReadyTime ready;
};

}  // namespace heddle::sim
