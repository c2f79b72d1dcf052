// The figures of a run as a tree with names: JSON is this tree, CSV its leaves.
#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "tools/report/failure.h"
#include "tools/report/summary.h"

namespace heddle::report {

nlohmann::ordered_json to_object(const Summary& summary);
nlohmann::ordered_json to_object(const Failure& failure);

/// A header and a row for each object, empty in the columns of what others alone have; nothing for no
/// objects. See to_csv() in json.h.
std::string to_csv(std::span<const nlohmann::ordered_json> objects);

}  // namespace heddle::report
