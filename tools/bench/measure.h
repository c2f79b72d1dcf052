// Measures one launch.
#pragma once

#include <string>

#include "sim/config/gpu_spec.h"
#include "tools/bench/row.h"
#include "tools/bench/subject.h"

namespace heddle::bench {

struct Plan {
  unsigned threads = 1;
  unsigned repetitions = 1;  ///< At least so many rounds, after one that warms up and looks at the heap.
  double least_seconds = 0;  ///< Rounds of short launches go on until they have taken so long.
};

/// Each round runs the launch without time, on one thread, and on all, so that what disturbs the machine for
/// a while disturbs all three. Throws what a run throws, and std::logic_error if two runs take different
/// cycles.
Row measure(const std::string& name, Subject& subject, const sim::GpuSpec& spec, const Plan& plan);

}  // namespace heddle::bench
