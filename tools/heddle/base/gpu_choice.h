// The GPU that a command line asks for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/config/gpu_spec.h"

namespace heddle::command {

/// As sim::load_gpu. Throws InputError also for a scheduling policy or a way of divergence that does not
/// exist.
sim::GpuSpec choose_gpu(const std::string& name_or_path, const std::vector<std::string>& settings);

/// The GPU file of a real GPU: by its compute capability and, where these are given, its SMs and its name
/// ("NVIDIA H100 PCIe"). Throws InputError, naming `file`, where none matches or several do.
std::string matching_gpu(const std::string& file, const std::string& device,
                         const std::string& compute_capability, std::optional<std::uint32_t> sms);

/// "  gto   greedy, then oldest: ...", a line for each policy.
std::string policies_text();

}  // namespace heddle::command
