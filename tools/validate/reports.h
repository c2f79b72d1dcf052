// The forms of a comparison of simulated with measured values.
#pragma once

#include <string>

#include "tools/report/document.h"
#include "tools/validate/comparison.h"

namespace heddle::validate {

inline constexpr int kSchemaVersion = 1;

/// A table of cases for each group, with its summary and the reasons for deviations; then a table of the
/// groups, and what was not compared.
report::Document document(const Results& results);

/// An object with the groups and their cases. Errors are fractions with a sign.
std::string to_json(const Results& results);

/// A header and a row for each case.
std::string to_csv(const Results& results);

/// A Markdown table of the cases outside of their tolerance, with the known reasons.
std::string to_markdown(const Results& results);

/// An SVG of simulated over measured values on logarithmic axes, with the diagonal, the bands of the
/// tolerances, and a colour for each group. Values that are not above 0 are left out.
std::string scatter_plot(const Results& results);

}  // namespace heddle::validate
