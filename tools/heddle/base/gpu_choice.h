// The GPU that a command line chooses.
#pragma once

#include <optional>
#include <string>

namespace heddle::command {

/// The name of the GPU file for a real GPU. It is found by the compute capability, and by the number of SMs
/// and the name ("NVIDIA H100 PCIe") if they are given. Throws InputError, which names `file`, if no GPU file
/// or more than one matches.
std::string matching_gpu(const std::string& file, const std::string& device,
                         const std::string& compute_capability, std::optional<std::uint32_t> sms);

/// A line for each policy: "  gto   greedy, then oldest: ...".
std::string policies_text();

}  // namespace heddle::command
