// Optional beside WarpSource: a source whose data are too many for the host's caches can be told which warp
// comes next.
#pragma once

#include "isa/base/host_prefetch.h"
#include "isa/base/types.h"

namespace heddle::stream {

/// A hint changes how fast the simulator runs, and nothing else.
class HostPrefetchable {
 public:
  virtual ~HostPrefetchable() = default;

  /// The warp in this slot may issue soon. PrefetchStep::Object comes first, for all slots in their order,
  /// and brings in the warp itself; PrefetchStep::Pointees follows for those whose warps are likely to issue,
  /// and brings in their registers.
  virtual void host_prefetch(WarpSlot slot, PrefetchStep step) const = 0;
};

}  // namespace heddle::stream
