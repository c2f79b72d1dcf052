// A launch or trace whose simulation is measured.
#pragma once

#include <cstdint>
#include <memory>

#include "isa/stream/warp_source.h"

namespace heddle::bench {

/// One such launch or trace.
class Subject {
 public:
  virtual ~Subject() = default;
  /// Undoes what a run changed. Called before each run; its time does not count.
  virtual void restore() {}
  /// Executes a launch, or reads a trace, without timing. Returns the number of warp instructions. Throws
  /// KernelFault if blocks wait for each other.
  virtual std::uint64_t run_functionally() = 0;
  /// The source for one timed run.
  virtual std::unique_ptr<stream::KernelSource> source() = 0;
};

}  // namespace heddle::bench
