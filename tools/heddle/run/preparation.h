// The checks of `heddle run` before the first run.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/config/gpu_spec.h"
#include "tools/heddle/run/run_request.h"

namespace heddle::command {

/// The result of the checks.
struct Preparation {
  sim::GpuSpec spec;
  /// Set for a single launch. Several launches are loaded again, one at a time, because their buffers
  /// together may not fit in memory.
  std::optional<launch::LaunchFile> only;
  /// All input files: the launches, the files that they read, and the GPU's.
  std::vector<std::string> inputs;
  std::uint64_t bytes = 0;  ///< Bytes of buffers of the largest launch.
};

/// Throws InputError with all mistakes in the GPU, the launches and the files to write, so that a mistake in
/// the tenth run shows before the first one.
Preparation prepare(const RunRequest& request);
/// Prepares each point of a sweep. All points write the same files.
std::vector<Preparation> prepare_all(std::span<const RunRequest> points);

/// All input files, each once.
std::vector<std::string> inputs_of(std::span<const Preparation> prepared);
/// Bytes of buffers of the largest launch.
std::uint64_t most_bytes(std::span<const Preparation> prepared);

}  // namespace heddle::command
