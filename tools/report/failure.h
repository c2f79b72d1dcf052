// A failed run in the report of several runs.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tools/report/provenance.h"

namespace heddle::report {

/// A failed run and its message.
struct Failure {
  std::string launch_path;                                 ///< The launch file, or the trace.
  std::vector<std::pair<std::string, std::string>> swept;  ///< For a point of a sweep: keys and values.
  std::string message;  ///< The text on standard error; it can have several lines.
  Provenance provenance = {};
};

}  // namespace heddle::report
