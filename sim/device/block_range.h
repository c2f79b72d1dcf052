// Some of a grid's blocks, one after the other.
#pragma once

#include <cstdint>

#include "isa/base/types.h"

namespace heddle::sim {

/// The blocks `from` to `until`, without that one.
struct BlockRange {
  BlockId from = 0;
  BlockId until = 0;

  [[nodiscard]] std::uint64_t blocks() const { return until - from; }
  [[nodiscard]] bool has(BlockId block) const { return from <= block && block < until; }

  friend bool operator==(const BlockRange&, const BlockRange&) = default;
};

}  // namespace heddle::sim
