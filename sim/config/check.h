// Checks that compare the numbers of a GPU file with one another.
#pragma once

#include <functional>
#include <string>

#include "sim/config/gpu_spec.h"

namespace heddle::sim {

/// Takes the key that is wrong, and a message.
using Complaint = std::function<void(const std::string& path, std::string message)>;

/// Reports all values that do not fit together. Each value by itself must already be in the range that its
/// description allows.
void check(const GpuSpec& spec, const Complaint& complain);

}  // namespace heddle::sim
