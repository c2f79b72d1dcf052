#include "tools/launch/evaluator.h"

#include <fmt/format.h>

namespace heddle::launch {

namespace {

/// "'n * 2' is 8", or just "8" where the file says 8.
std::string meaning(const sim::YamlValue& value, Number number) {
  const std::string text = to_text(number);
  return value.text() == text ? fmt::format("'{}'", text)
                              : fmt::format("'{}', which is {}", value.text(), text);
}

}  // namespace

std::string label(const sim::YamlValue& value) {
  const std::string path = value.path();
  return path.empty() ? "" : fmt::format("'{}': ", path);
}

std::optional<Number> Evaluator::number(const sim::YamlValue& value) {
  if (!value.is_scalar()) {
    value.must_be(problems_, "a number or an expression");
    return std::nullopt;
  }
  try {
    return interpreter_.evaluate(interpreter_.compile(value.text()));
  } catch (const ExpressionError& error) {
    value.error(problems_, label(value) + error.what());
    return std::nullopt;
  }
}

std::optional<std::int64_t> Evaluator::integer(const sim::YamlValue& value, std::int64_t least,
                                               std::int64_t most) {
  const std::optional<Number> result = number(value);
  if (!result) return std::nullopt;
  const std::optional<std::int64_t> whole = to_integer(*result);
  if (whole && *whole >= least && *whole <= most) return whole;
  value.error(problems_, fmt::format("{}must be a whole number from {} to {}; found {}", label(value), least,
                                     most, meaning(value, *result)));
  return std::nullopt;
}

std::optional<Number> Evaluator::element(const sim::YamlValue& value, ElementType type) {
  const std::optional<Number> result = number(value);
  if (!result) return std::nullopt;
  const std::optional<std::string> reason = misfit(type, *result);
  if (!reason) return result;
  value.error(problems_, fmt::format("{}{} {}", label(value), to_text(*result), *reason));
  return std::nullopt;
}

}  // namespace heddle::launch
