#include "tools/diff/figure_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tools/report/units.h"
#include "tools/report/words.h"

namespace heddle::diff {

namespace {

constexpr double kHundred = 100;

}  // namespace

std::string number_text(const std::optional<Number>& number, std::string_view unit) {
  if (!number) return "-";
  const double value = as_double(*number);
  if (unit == report::kFraction) return report::percent(value);
  if (unit == "us") return report::time_text(value);
  const auto* whole = std::get_if<std::int64_t>(&*number);
  if (whole == nullptr || *whole < 0) return fmt::format("{:.2f}", value);
  return report::grouped(static_cast<std::uint64_t>(*whole));
}

std::string change_text(const FigureChange& change) {
  if (!change.is_changed()) return {};
  if (!change.before) return "new";
  if (!change.after) return "gone";
  const double before = as_double(*change.before);
  const double after = as_double(*change.after);
  if (change.unit == report::kFraction) return fmt::format("{:+.1f} points", kHundred * (after - before));
  if (before == 0) return "from 0";
  constexpr double kTwice = 2;
  const double ratio = after / before;
  return ratio >= kTwice ? fmt::format("{:.2f} x", ratio) : fmt::format("{:+.1f} %", kHundred * (ratio - 1));
}

double change_size(const FigureChange& change) {
  if (!change.is_changed()) return 0;
  if (!change.before || !change.after) return 1;
  const double before = as_double(*change.before);
  const double after = as_double(*change.after);
  const double difference = std::abs(after - before);
  return change.unit == report::kFraction ? difference
                                          : difference / std::max(std::abs(before), std::abs(after));
}

}  // namespace heddle::diff
