// The figures of a run as a tree with names: JSON is this tree, CSV its leaves.
#pragma once

#include <nlohmann/json.hpp>

#include "tools/report/summary.h"

namespace heddle::report {

nlohmann::ordered_json to_object(const Summary& summary);

}  // namespace heddle::report
