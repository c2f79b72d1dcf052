// Optional beside WarpSource: a source whose instructions may lack what ends a wait, as those of a trace do,
// says which wait ends all the same.
#pragma once

#include <cstddef>
#include <span>

#include "isa/stream/static_op.h"

namespace heddle::stream {

/// The interface by which a replay ends a wait that its trace cannot.
class WaitRepair {
 public:
  virtual ~WaitRepair() = default;

  /// All warps of a block wait for one another, and no copy is under way that could end a wait. These
  /// instructions wait at mbarriers or for their cluster, in the order in which they began to; there is one
  /// at least. Returns the place among them of the one that goes on.
  [[nodiscard]] virtual std::size_t choose(std::span<const StaticOp* const> waiting) const = 0;
};

}  // namespace heddle::stream
