// The configuration that was really run, as a GPU file.
#pragma once

#include <string>

#include "sim/config/gpu_spec.h"

namespace heddle::sim {

/// YAML that loads back to the same spec, all keys written out.
std::string to_yaml(const GpuSpec& spec);

}  // namespace heddle::sim
