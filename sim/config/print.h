// The configuration that was really run: as a GPU file, and what of it differs from another.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/config/gpu_spec.h"

namespace heddle::sim {

/// Keys with the groups that they stand in ("l1.latency"), and their values as a GPU file has them.
using KeyValues = std::vector<std::pair<std::string, std::string>>;

/// YAML that loads back to the same spec, all keys written out.
std::string to_yaml(const GpuSpec& spec);

/// The keys whose values in `after` are not those of `before`, with the values of `after`, in the order of a
/// GPU file. A class of instructions that only `before` has is `none`.
KeyValues changed_values(const GpuSpec& before, const GpuSpec& after);

}  // namespace heddle::sim
