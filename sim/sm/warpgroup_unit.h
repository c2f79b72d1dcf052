// Warpgroups, four warps that multiply matrices together: where they meet, and how long their products take.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isa/base/types.h"
#include "sim/config/gpu_spec.h"
#include "sim/sm/scoreboard.h"

namespace heddle::sim {

/// Blocks warps until their warpgroup is complete, and books their products (WGMMA). It changes when they
/// issue.
class WarpgroupUnit {
 public:
  /// Both outlive it.
  WarpgroupUnit(const SmSpec& spec, Scoreboard& warps)
      : spec_(spec), warps_(warps), waits_(warps.all().size()) {}

  /// The warp comes to where the warps of its warpgroup meet: the last of the four lets them all go on.
  /// `block`: the slots of its block's warps.
  void arrive(WarpSlot slot, std::span<const WarpSlot> block, Cycle now);
  /// The warp's part of a product issues. Products queue for the pipe, and the warp goes on: how many may is
  /// not published, so that nothing limits them here. Who reads or writes the sums waits for the product,
  /// too, as if they were a result: on a GPU only the wait for the group does.
  void start_product(WarpSlot slot, const stream::StaticOp& op, Cycle now);

  /// Whether the warp waits for others of its warpgroup.
  [[nodiscard]] bool holds(WarpSlot slot) const { return waits_[slot]; }

 private:
  [[nodiscard]] Cycle product_cycles(const stream::StaticOp& op) const;

  const SmSpec& spec_;
  Scoreboard& warps_;
  std::vector<bool> waits_;  // by warp slot
};

}  // namespace heddle::sim
