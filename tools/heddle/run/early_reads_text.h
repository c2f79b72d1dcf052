// What --dependences says of a run:
//
//   Read before they were there: 12 of 1,024 values
//     FADD R2, R0, R1 reads R1 of FADD R1, R0, R0: 3 cycles too early, 12 times
#pragma once

#include <string>

#include "sim/config/gpu_spec.h"
#include "tools/dependences/early_reads.h"

namespace heddle::command {

/// Listens to the run of a kernel.
class EarlyReadsOfRun {
 public:
  /// The kernel must outlive it. Throws UsageError if it has no control codes.
  EarlyReadsOfRun(const ir::Kernel& kernel, const sim::GpuSpec& spec);

  sim::Observer& observer() { return reads_; }
  /// To be called after the run.
  [[nodiscard]] std::string text() const;

 private:
  const ir::Kernel& kernel_;
  sim::ClassTimings timings_;
  dependences::EarlyReads reads_;
};

}  // namespace heddle::command
