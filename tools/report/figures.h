// The figures of a run by name: the numbers of its JSON report, those of inner objects behind a point.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tools/report/summary.h"

namespace heddle::report {

/// "memory.l1_hit_rate" and its value; counts are integers. What has no value in this run is not in the list.
using Figure = std::pair<std::string, std::variant<std::int64_t, double>>;

std::vector<Figure> figures(const Summary& summary);

/// The names of all figures that runs can have but those of the GPU's pipes, "pipes.NAME".
std::vector<std::string> figure_names();

}  // namespace heddle::report
