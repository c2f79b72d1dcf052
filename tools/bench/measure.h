// Measures one launch.
#pragma once

#include <string>

#include "sim/config/gpu_spec.h"
#include "tools/bench/row.h"
#include "tools/bench/subject.h"

namespace heddle::bench {

/// How often and how long to measure.
struct Plan {
  unsigned threads = 1;
  unsigned repetitions = 1;  ///< Least number of rounds, after one that warms up and measures the heap.
  double least_seconds = 0;  ///< Rounds of short launches are repeated until they have taken as many seconds.
};

/// Each round runs the launch functionally, on one thread, and on all threads, so that a disturbance of the
/// machine affects all three. Throws what a run throws, and std::logic_error if two runs take different
/// numbers of cycles.
Row measure(const std::string& name, Subject& subject, const sim::GpuSpec& spec, const Plan& plan);

}  // namespace heddle::bench
