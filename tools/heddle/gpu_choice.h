// The GPU that a command line asks for.
#pragma once

#include <string>
#include <vector>

#include "sim/config/gpu_spec.h"

namespace heddle::command {

/// As sim::load_gpu. Throws InputError also for a scheduling policy or a way of divergence that does not exist.
sim::GpuSpec choose_gpu(const std::string& name_or_path, const std::vector<std::string>& settings);

/// "  gto   greedy, then oldest: ...", a line for each policy.
std::string policies_text();

}  // namespace heddle::command
