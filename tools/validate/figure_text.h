// Measured and simulated figures as text for people.
#pragma once

#include <optional>
#include <string>

namespace heddle::validate {

/// Four digits, or more if there are more before the point; "-" if not set.
std::string figure_text(const std::optional<double>& value);
/// "54 cycles"
std::string with_unit(double value, const std::string& unit);
/// "+11.6 %"
std::string error_text(const std::optional<double>& error);

}  // namespace heddle::validate
