// RunOutcomes as JSON and back without loss, so that a resumed journal gives the same report byte for byte.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>

#include "sim/config/gpu_spec.h"
#include "tools/heddle/journal/outcome.h"

namespace heddle::command {

nlohmann::ordered_json outcomes_to_json(const RunOutcomes& outcomes);

/// `spec` is the GPU that was simulated, or the sample of its SMs. Throws std::exception if the value is not
/// such a list, or if it belongs to another GPU.
RunOutcomes outcomes_from_json(const nlohmann::ordered_json& list, const sim::GpuSpec& spec);

}  // namespace heddle::command
