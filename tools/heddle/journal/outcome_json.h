// RunOutcomes as JSON, and back, without loss: whoever goes on with what a journal has reports the same
// bytes.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>

#include "sim/config/gpu_spec.h"
#include "tools/heddle/journal/outcome.h"

namespace heddle::command {

nlohmann::ordered_json outcomes_to_json(const RunOutcomes& outcomes);

/// `spec`: the GPU that was simulated, or the sample of its SMs. Throws std::exception where the value is no
/// such list, or was counted on another GPU.
RunOutcomes outcomes_from_json(const nlohmann::ordered_json& list, const sim::GpuSpec& spec);

}  // namespace heddle::command
