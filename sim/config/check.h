// What the numbers of a GPU file must be to one another.
#pragma once

#include <functional>
#include <string>

#include "sim/config/gpu_spec.h"

namespace heddle::sim {

/// Takes the key to blame and what is wrong.
using Complaint = std::function<void(const std::string& path, std::string message)>;

/// Complains of all values that do not fit together. Each value by itself is within the range of its
/// description.
void check(const GpuSpec& spec, const Complaint& complain);

}  // namespace heddle::sim
