#include "tools/validate/figure_text.h"

#include <fmt/format.h>

#include <cmath>

#include "tools/report/words.h"

namespace heddle::validate {

std::string figure_text(const std::optional<double>& value) {
  if (!value) return "-";
  constexpr double kFourDigits = 1000;
  constexpr double kMostGrouped = 1e15;
  if (*value < kFourDigits || *value > kMostGrouped) return fmt::format("{:.4g}", *value);
  return report::grouped(static_cast<std::uint64_t>(std::llround(*value)));
}

std::string with_unit(double value, const std::string& unit) {
  return unit.empty() ? figure_text(value) : fmt::format("{} {}", figure_text(value), unit);
}

std::string error_text(const std::optional<double>& error) {
  return error ? fmt::format("{:+.1f} %", 100 * *error) : "-";
}

}  // namespace heddle::validate
