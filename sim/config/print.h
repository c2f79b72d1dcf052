// Prints the configuration that was used: as a GPU file, or as the values that differ from another.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/config/gpu_spec.h"

namespace heddle::sim {

/// Full keys ("l1.latency") and their values, as a GPU file has them.
using KeyValues = std::vector<std::pair<std::string, std::string>>;

/// YAML that loads back to the same spec, all keys written out.
std::string to_yaml(const GpuSpec& spec);

/// The keys whose values differ between `before` and `after`, with the values of `after`, in the order of a
/// GPU file. A class of instructions that only `before` has gets the value `none`.
KeyValues changed_values(const GpuSpec& before, const GpuSpec& after);

}  // namespace heddle::sim
