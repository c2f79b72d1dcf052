// A source of warps that offers nothing but the four calls of the seam.
#pragma once

#include <span>
#include <string>

#include "isa/stream/warp_source.h"

namespace heddle::stream {

/// Its warps do nothing. It cannot be watched, and takes no hints.
class PlainSource final : public WarpSource {
 public:
  void start_block(BlockId, std::span<const WarpSlot>, std::span<const StaticOp*>) override {}
  const WarpStep& issue(WarpSlot, Cycle) override { return step_; }
  void end_block(std::span<const WarpSlot>) override {}
  [[nodiscard]] std::string describe(WarpSlot) const override { return ""; }

 private:
  WarpStep step_;
};

}  // namespace heddle::stream
