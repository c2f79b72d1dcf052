// The figures of a run by name. They are the numbers of its JSON report; names in inner objects follow a
// point.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tools/report/summary.h"

namespace heddle::report {

/// "memory.l1_hit_rate" and its value. Counts are integers. A figure without a value in this run is left out.
using Figure = std::pair<std::string, std::variant<std::int64_t, double>>;

std::vector<Figure> figures(const Summary& summary);

/// The names of all figures that runs can have, except those of the GPU's pipes, "pipes.NAME".
std::vector<std::string> figure_names();

}  // namespace heddle::report
