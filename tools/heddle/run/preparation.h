// What `heddle run` makes sure of before the first run.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/config/gpu_spec.h"
#include "tools/heddle/run/run_request.h"

namespace heddle::command {

struct Preparation {
  sim::GpuSpec spec;
  /// Of a single launch. Of several, the buffers together may not fit the memory of the machine: each is
  /// loaded again when it is its turn.
  std::optional<launch::LaunchFile> only;
};

/// Throws InputError with all that is wrong with the GPU, the launches and the files to write: nobody shall
/// wait for nine runs to learn that the tenth has no kernel.
Preparation prepare(const RunRequest& request);
/// Of each point of a sweep; they write the same files.
std::vector<Preparation> prepare_all(std::span<const RunRequest> points);

}  // namespace heddle::command
