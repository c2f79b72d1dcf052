// Which block starts on which SM, and when. Blocks go out in the order of their index: first round robin over
// the SMs until all places are taken, then to whichever SM frees a place.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/base/types.h"
#include "sim/config/gpu_spec.h"
#include "sim/memory/tick.h"

namespace heddle::sim {

struct BlockStartOrder {
  Cycle at = 0;
  SmId sm = 0;
  BlockId block = 0;
};

class BlockDispatcher {
 public:
  BlockDispatcher(const GpuSpec& spec, std::uint64_t blocks, std::uint32_t blocks_per_sm);

  /// The blocks that fill the empty GPU.
  std::vector<BlockStartOrder> fill();

  /// A place on `sm` became free at `when`: the block that takes it, if any is left, in `order`. Calls come
  /// in the order (time, SM).
  bool refill(SmId sm, Cycle when, BlockStartOrder& order);

  [[nodiscard]] bool all_started() const { return next_block_ == blocks_; }
  [[nodiscard]] Cycle last_start() const { return last_start_; }

 private:
  BlockStartOrder start(SmId sm, Cycle earliest);

  Cycle kernel_launch_;
  Cycle block_launch_;
  Tick block_interval_;  // no whole number of cycles
  std::uint32_t sms_;
  std::uint64_t blocks_;
  std::uint32_t blocks_per_sm_;
  BlockId next_block_ = 0;
  Tick free_at_ = 0;  // when the dispatcher can send the next block
  Cycle last_start_ = 0;
};

}  // namespace heddle::sim
