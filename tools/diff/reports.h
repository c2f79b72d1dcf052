// The forms in which a comparison is shown.
#pragma once

#include <string>

#include "tools/diff/comparison.h"
#include "tools/report/document.h"

namespace heddle::diff {

/// Which figures the text shows.
enum class Detail {
  Short,  ///< The first figures of a report, and others that changed by a tenth or more.
  Full,   ///< All that changed.
};

/// Settings that differ, figures before and after, and where the cycles went.
report::Document document(const Comparison& comparison, Detail detail);

/// "1.52 times as fast: 7.59 us before, 4.99 us after"
std::string speed_text(const Comparison& comparison);

/// The whole comparison: schema_version, before, after, settings, figures, cycles. Fractions stay fractions.
std::string to_json(const Comparison& comparison);

}  // namespace heddle::diff
