// A figure's values and its change as text for people.
#pragma once

#include <optional>
#include <string>

#include "tools/diff/comparison.h"

namespace heddle::diff {

/// "71.2 %", "1,234", "16 KiB", "7.59 us", "2.31"; "-" if not set.
std::string number_text(const std::optional<Number>& number, std::string_view unit);

/// Fractions change by points, "+3.2 points", others by percent, "-12.0 %", or by their ratio, "2.41 x", if
/// that is 2 or more. Empty without a change; "new" and "gone" if only one run has the figure.
std::string change_text(const FigureChange& change);

/// By how much the figure changed, so that figures of all units can be compared: points / 100 for a fraction,
/// else the difference / the greater of both; 1 if only one run has it.
double change_size(const FigureChange& change);

}  // namespace heddle::diff
