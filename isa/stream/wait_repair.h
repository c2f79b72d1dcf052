// Optional beside WarpSource: a source whose instructions may lack what ends a wait, as those of a trace do, or
// whose waits end after a while anyway, says which wait ends all the same.
#pragma once

#include <cstddef>
#include <span>

#include "isa/stream/static_op.h"

namespace heddle::stream {

/// The interface by which a source ends a wait that nothing else would.
class WaitRepair {
 public:
  virtual ~WaitRepair() = default;

  /// All warps of a block wait for one another, and no copy is under way that could end a wait. These
  /// instructions wait at mbarriers or for their cluster, in the order in which they began to; there is one
  /// at least. Returns the place among them of the one that goes on.
  [[nodiscard]] virtual std::size_t choose(std::span<const StaticOp* const> waiting) const = 0;
  /// Whether the phase is over then, for whoever waits for it; else that one wait has ended for nothing.
  [[nodiscard]] virtual bool ends_phase() const { return true; }
};

}  // namespace heddle::stream
