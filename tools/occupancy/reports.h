// Reports of answers for people and for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "sim/occupancy/what_if.h"
#include "tools/occupancy/question.h"
#include "tools/report/document.h"

namespace heddle::occupancy {

/// A full answer:
///
///   Theoretical occupancy   ████████████████████████░░░░░░░░  75.0 %  48 of 64 warps: 6 blocks of 8 warps
///
///   limit      blocks  a block takes  an SM has  left over
///   warps           8              8         64         16
///   registers       6         10,240     65,536      4,096  binds
///
/// The explanation of explain.h follows below, or a hint at --explain.
report::Document to_document(const Answer& answer, bool is_explained = false);

/// A line for each kernel.
report::Document to_table(std::span<const Answer> answers);

/// Counts are integers and shares are fractions of 1. A value that does not apply is null or missing.
nlohmann::ordered_json to_object(const Answer& answer);

// -- other occupancies -----------------------------------------------------------------------------

report::Document to_document(const Answer& answer, const sim::OccupancyReach& reach, double target);
nlohmann::ordered_json to_object(const sim::OccupancyReach& reach, const Answer& answer, double target);

report::Document to_document(const Question& question, const sim::BlockSuggestion& suggestion);
nlohmann::ordered_json to_object(const Question& question, const sim::BlockSuggestion& suggestion);

/// "NVIDIA H100 SXM5 80 GB (h100, compute capability 9.0)"
std::string device_text(const Device& device);

/// "axpy<float>" for "void axpy<float>(float, float const*, float*, int)".
std::string short_name(const std::string& kernel);

}  // namespace heddle::occupancy
