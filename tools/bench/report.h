// The output formats of `heddle bench`. With a baseline each shows the speed of a row relative to the
// baseline; null means no baseline.
#pragma once

#include <string>

#include "tools/bench/baseline.h"
#include "tools/bench/row.h"
#include "tools/report/document.h"

namespace heddle::bench {

report::Document document(const Run& run, const Baseline* baseline);

/// One JSON object; load_baseline() can read it.
std::string to_json(const Run& run, const Baseline* baseline);

/// A header and a line for each row. The columns follow report::to_csv().
std::string to_csv(const Run& run, const Baseline* baseline);

}  // namespace heddle::bench
