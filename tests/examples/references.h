// What the example kernels must compute, written in C++ from their CUDA sources: bit for bit, floats in the
// same order.
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/launch/launch_file.h"

namespace heddle::examples {

struct Reference {
  std::string_view launch;  ///< traces/<launch>.yaml
  std::string_view buffer;  ///< The buffer that the kernel writes.
  /// The buffer's contents after the run, from a launch that has not run.
  std::vector<std::byte> (*expected)(const launch::LaunchFile& before);
  bool deadlocks_on_stack = false;  ///< Only convergence barriers can run it.
};

/// At least one row for each launch file in traces/.
std::vector<Reference> references();

/// The launch files that they name.
std::set<std::string> launches();

/// The references of kernels whose threads meet in memory: histograms, locks, tickets.
std::span<const Reference> cooperating_references();

}  // namespace heddle::examples
