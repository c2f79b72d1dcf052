// What `heddle run` makes sure of before the first run.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/config/gpu_spec.h"
#include "tools/heddle/run/run_request.h"

namespace heddle::command {

struct Preparation {
  sim::GpuSpec spec;
  /// Of a single launch. Of several, the buffers together may not fit the memory of the machine: each is
  /// loaded again when it is its turn.
  std::optional<launch::LaunchFile> only;
  std::vector<std::string> inputs;  ///< Files that the launches read, themselves among them, and the GPU's.
  std::uint64_t bytes = 0;          ///< Of the buffers of the launch that has the most.
};

/// Throws InputError with all that is wrong with the GPU, the launches and the files to write: nobody shall
/// wait for nine runs to learn that the tenth has no kernel.
Preparation prepare(const RunRequest& request);
/// Of each point of a sweep; they write the same files.
std::vector<Preparation> prepare_all(std::span<const RunRequest> points);

/// All that is read, each file once.
std::vector<std::string> inputs_of(std::span<const Preparation> prepared);
/// What the largest launch takes.
std::uint64_t most_bytes(std::span<const Preparation> prepared);

}  // namespace heddle::command
