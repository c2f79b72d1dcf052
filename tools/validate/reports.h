// What a comparison of simulated with measured values is shown as.
#pragma once

#include <string>

#include "tools/report/document.h"
#include "tools/validate/comparison.h"

namespace heddle::validate {

inline constexpr int kSchemaVersion = 1;

/// A table of cases for each group, what they come to, and why cases deviate; then a table of the groups
/// and what was not compared.
report::Document document(const Results& results);

/// An object with the groups, each with its cases. Errors are fractions, with their sign.
std::string to_json(const Results& results);

/// A header and a row for each case.
std::string to_csv(const Results& results);

/// A table for a document: the cases outside of their tolerance, with the reasons that are known.
std::string to_markdown(const Results& results);

/// An SVG: simulated against measured on logarithmic axes, with the diagonal and the bands of the tolerances,
/// a colour for each group. Values that are not above 0 are left out.
std::string scatter_plot(const Results& results);

}  // namespace heddle::validate
