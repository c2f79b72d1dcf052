#include "tools/launch/evaluator.h"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

#include "isa/base/read_bytes.h"
#include "isa/base/read_number.h"

namespace heddle::launch {

namespace {

/// "'n * 2' is 8", or just "8" if the file says 8.
std::string meaning(const sim::YamlValue& value, Number number) {
  const std::string text = to_text(number);
  return value.text() == text ? fmt::format("'{}'", text)
                              : fmt::format("'{}', which is {}", value.text(), text);
}

/// Reads a number from 2^63 on, decimal or hexadecimal. In an expression it would become a float or negative.
std::optional<std::uint64_t> large_literal(std::string_view text) {
  const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
  if (is_hex) text.remove_prefix(2);
  const auto value = number_in<std::uint64_t>(text, is_hex ? 16 : 10);
  return value && *value >> 63 != 0 ? value : std::nullopt;
}

/// Lua would reduce it modulo 2^64.
bool is_hex_beyond_64_bits(std::string_view text) {
  if (!text.starts_with("0x") && !text.starts_with("0X")) return false;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), value, 16);
  return error == std::errc::result_out_of_range && end == text.data() + text.size();
}

/// Reads "64K" and "8 KiB", which are not expressions.
std::optional<std::int64_t> count_with_unit(std::string_view text) {
  const bool has_unit =
      !text.empty() && std::string_view("BiKMGk").find(text.back()) != std::string_view::npos;
  const auto count = has_unit && !text.starts_with("0x") ? count_in(text) : std::nullopt;
  if (!count || *count >> 63 != 0) return std::nullopt;
  return static_cast<std::int64_t>(*count);
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
  if (const auto count = count_with_unit(value.text())) return Number{*count};
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
  if (type == ElementType::U64 && value.is_scalar()) {
    if (is_hex_beyond_64_bits(value.text())) {
      value.error(problems_, fmt::format("{}{} does not fit u64", label(value), value.text()));
      return std::nullopt;
    }
    if (const auto literal = large_literal(value.text())) return Number{static_cast<std::int64_t>(*literal)};
  }
  const std::optional<Number> result = number(value);
  if (!result) return std::nullopt;
  const std::optional<std::string> reason = misfit(type, *result);
  if (!reason) return result;
  value.error(problems_, fmt::format("{}{} {}", label(value), to_text(*result), *reason));
  return std::nullopt;
}

}  // namespace heddle::launch
