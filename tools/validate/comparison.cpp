#include "tools/validate/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tools/launch/evaluator.h"

namespace heddle::validate {

namespace {

/// A suite can ask for the figures of many runs at once.
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

std::optional<double> figure_of(const std::string& expression,
                                std::span<const std::pair<std::string, Number>> run) {
  launch::Interpreter interpreter(kLimits);
  for (const auto& [figure, value] : run) interpreter.set_figure(fmt::format("run.{}", figure), value);
  try {
    const double value = launch::to_double(interpreter.evaluate(interpreter.compile(expression)));
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
  } catch (const launch::ExpressionError&) {
    return std::nullopt;
  }
}

std::optional<double> Comparison::error() const {
  if (!simulated || measured == 0) return std::nullopt;
  return *simulated / measured - 1;
}

// The margin keeps a figure with two digits from failing because of the rounding of the quotient.
bool Comparison::is_within() const {
  return !tolerance || (error() && std::abs(*error()) <= *tolerance * (1 + 1e-9));
}

std::size_t GroupResult::within() const {
  return static_cast<std::size_t>(
      std::count_if(cases.begin(), cases.end(), [](const Comparison& one) { return one.is_within(); }));
}

std::size_t GroupResult::unexpected() const {
  return static_cast<std::size_t>(
      std::count_if(cases.begin(), cases.end(), [](const Comparison& one) { return one.is_unexpected(); }));
}

bool Results::are_good() const {
  return checks_hold && std::all_of(groups.begin(), groups.end(),
                                    [](const GroupResult& group) { return group.unexpected() == 0; });
}

std::optional<double> mean_absolute_error(std::span<const Comparison> cases) {
  double sum = 0;
  std::size_t count = 0;
  for (const Comparison& one : cases) {
    const std::optional<double> error = one.error();
    if (!error) continue;
    sum += std::abs(*error);
    ++count;
  }
  if (count == 0) return std::nullopt;
  return sum / static_cast<double>(count);
}

std::optional<double> correlation(std::span<const Comparison> cases) {
  std::vector<std::pair<double, double>> points;
  for (const Comparison& one : cases) {
    if (one.simulated) points.emplace_back(one.measured, *one.simulated);
  }
  double x_mean = 0;
  double y_mean = 0;
  for (const auto& [x, y] : points) {
    x_mean += x / static_cast<double>(points.size());
    y_mean += y / static_cast<double>(points.size());
  }
  double xx = 0;
  double yy = 0;
  double xy = 0;
  for (const auto& [x, y] : points) {
    xx += (x - x_mean) * (x - x_mean);
    yy += (y - y_mean) * (y - y_mean);
    xy += (x - x_mean) * (y - y_mean);
  }
  // The mean of equal values can differ from them in its last bits.
  const auto varies = [&](double squares, double mean) {
    return squares > 1e-24 * mean * mean * static_cast<double>(points.size());
  };
  if (!varies(xx, x_mean) || !varies(yy, y_mean)) return std::nullopt;
  return xy / std::sqrt(xx * yy);
}

}  // namespace heddle::validate
