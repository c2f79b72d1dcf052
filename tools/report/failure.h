// A run that failed, in the report of those that did not.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tools/report/provenance.h"

namespace heddle::report {

struct Failure {
  std::string launch_path;                                 ///< The launch file, or the trace.
  std::vector<std::pair<std::string, std::string>> swept;  ///< At a point of a sweep: keys and their values.
  std::string message;  ///< What standard error says, perhaps in several lines.
  Provenance provenance = {};
};

}  // namespace heddle::report
