// What stands between a launch and the device that runs it: a recorder, for example.
#pragma once

#include "isa/stream/warp_source.h"

namespace heddle::session {

/// Belongs to one launch. The device calls it while it runs.
class LaunchLayer {
 public:
  virtual ~LaunchLayer() = default;
  /// Returns what is run in the place of the kernel, which is there until ended() has returned.
  virtual stream::KernelSource& over(stream::KernelSource& kernel) = 0;
  /// The launch has ended. Not called of one that fails.
  virtual void ended() = 0;
};

}  // namespace heddle::session
