#include "tools/validate/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tools/launch/evaluator.h"

namespace heddle::validate {

namespace {

/// A suite may ask for the figures of many runs at once.
constexpr launch::ExpressionLimits kLimits = {.bytes = 64U << 20};

}  // namespace

std::optional<double> simulated_value(const Case& measured, std::span<const NamedFigures> runs,
                                      Diagnostics& problems) {
  launch::Interpreter interpreter(kLimits);
  for (const auto& [name, value] : measured.values) interpreter.set_number(name, value);
  for (const auto& [run, figures] : runs) {
    for (const auto& [figure, value] : figures)
      interpreter.set_figure(fmt::format("{}.{}", run, figure), value);
  }
  const auto number = launch::Evaluator(interpreter, problems).number(measured.simulated);
  if (!number) return std::nullopt;
  const double value = launch::to_double(*number);
  if (std::isfinite(value)) return value;
  measured.simulated.error(problems, fmt::format("'simulated' of case '{}' is {}", measured.name, value));
  return std::nullopt;
}

// A figure that is measured and given with two digits shall not fail by the rounding of the quotient.
bool Comparison::is_within() const { return std::abs(error()) <= tolerance * (1 + 1e-9); }

std::size_t GroupResult::within() const {
  return static_cast<std::size_t>(
      std::count_if(cases.begin(), cases.end(), [](const Comparison& one) { return one.is_within(); }));
}

std::size_t GroupResult::unexpected() const {
  return static_cast<std::size_t>(
      std::count_if(cases.begin(), cases.end(), [](const Comparison& one) { return one.is_unexpected(); }));
}

std::optional<double> mean_absolute_error(std::span<const Comparison> cases) {
  if (cases.empty()) return std::nullopt;
  double sum = 0;
  for (const Comparison& one : cases) sum += std::abs(one.error());
  return sum / static_cast<double>(cases.size());
}

std::optional<double> correlation(std::span<const Comparison> cases) {
  double x = 0;
  double y = 0;
  for (const Comparison& one : cases) {
    x += one.measured / static_cast<double>(cases.size());
    y += one.simulated / static_cast<double>(cases.size());
  }
  double xx = 0;
  double yy = 0;
  double xy = 0;
  for (const Comparison& one : cases) {
    xx += (one.measured - x) * (one.measured - x);
    yy += (one.simulated - y) * (one.simulated - y);
    xy += (one.measured - x) * (one.simulated - y);
  }
  if (xx <= 0 || yy <= 0) return std::nullopt;
  return xy / std::sqrt(xx * yy);
}

}  // namespace heddle::validate
