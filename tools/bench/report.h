// The forms of what `heddle bench` has found out. With a baseline each form says how many times as fast a row
// is as it was then; null means none.
#pragma once

#include <string>

#include "tools/bench/baseline.h"
#include "tools/bench/row.h"
#include "tools/report/document.h"

namespace heddle::bench {

report::Document document(const Run& run, const Baseline* baseline);

/// One object; what load_baseline() reads.
std::string to_json(const Run& run, const Baseline* baseline);

/// A header and a line for each row, columns as report::to_csv() has them.
std::string to_csv(const Run& run, const Baseline* baseline);

}  // namespace heddle::bench
