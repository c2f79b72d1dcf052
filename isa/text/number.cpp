#include "isa/text/number.h"

#include <charconv>
#include <limits>

namespace heddle::text {

namespace {

constexpr auto kGreatest = std::numeric_limits<std::uint64_t>::max();

std::optional<std::uint64_t> parse_digits(std::string_view digits, int base) {
  std::uint64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value, base);
  if (error == std::errc::invalid_argument || stop != end) return std::nullopt;
  return error == std::errc::result_out_of_range ? kGreatest : value;
}

template <typename Parsed>
Parsed parse_as(std::string_view text) {
  Parsed parsed;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, parsed.value);
  if (error == std::errc::result_out_of_range) parsed.error = FloatError::OutOfRange;
  if (error == std::errc::invalid_argument || stop != end) parsed.error = FloatError::NoNumber;
  return parsed;
}

}  // namespace

bool is_hexadecimal(std::string_view text) { return text.starts_with("0x") || text.starts_with("0X"); }

std::optional<std::uint64_t> parse_integer(std::string_view text) {
  return is_hexadecimal(text) ? parse_digits(text.substr(2), 16) : parse_digits(text, 10);
}

std::optional<std::uint32_t> parse_raw_float(std::string_view text) {
  if (text.size() != 10 || (!text.starts_with("0f") && !text.starts_with("0F"))) return std::nullopt;
  const auto bits = parse_digits(text.substr(2), 16);
  if (!bits) return std::nullopt;
  return static_cast<std::uint32_t>(*bits);
}

ParsedFloat parse_float(std::string_view text) { return parse_as<ParsedFloat>(text); }

ParsedDouble parse_double(std::string_view text) { return parse_as<ParsedDouble>(text); }

}  // namespace heddle::text
