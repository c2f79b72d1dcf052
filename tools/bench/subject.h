// What is measured.
#pragma once

#include <cstdint>
#include <memory>

#include "isa/stream/warp_source.h"

namespace heddle::bench {

class Subject {
 public:
  virtual ~Subject() = default;
  /// Undoes what runs have changed. Before each run; its time does not count.
  virtual void restore() {}
  /// What happens without how long it takes: executes a launch, or reads a trace. Returns the warp
  /// instructions. Throws KernelFault where blocks wait for blocks.
  virtual std::uint64_t run_functionally() = 0;
  /// For one timed run.
  virtual std::unique_ptr<stream::KernelSource> source() = 0;
};

}  // namespace heddle::bench
