#include <fmt/format.h>

#include <optional>

#include "isa/base/quoted.h"
#include "isa/base/read_number.h"
#include "isa/ptx/constant.h"
#include "isa/ptx/mistakes.h"

namespace heddle::ptx {

namespace {

constexpr std::size_t kPlainDigits = 19;  // fewer fit into 63 bits

bool has_prefix(std::string_view text, char letter) {
  return text.size() > 2 && text[0] == '0' && (text[1] | 0x20) == letter;
}

/// 0f3f800000 and 0d3ff0000000000000.
std::optional<Constant> raw_float(std::string_view text) {
  const bool is_single = has_prefix(text, 'f') && text.size() == 10;
  const bool is_double = has_prefix(text, 'd') && text.size() == 18;
  if (!is_single && !is_double) return std::nullopt;
  const auto bits = number_in<std::uint64_t>(text.substr(2), 16);
  if (!bits) return std::nullopt;
  return Constant{is_single ? Constant::Kind::Single : Constant::Kind::Double, *bits};
}

bool is_decimal_float(std::string_view text) {
  return !has_prefix(text, 'x') && text.find_first_of(".eE") != std::string_view::npos;
}

Constant decimal_float(const Token& token) {
  double value = 0;
  if (!read_number(token.text, value)) fail(token, fmt::format("{} is no number", quoted(token.text)));
  return {Constant::Kind::Double, std::bit_cast<std::uint64_t>(value)};
}

struct Digits {
  std::string_view text;
  int base = 10;
};

Digits digits_of(std::string_view text) {
  if (has_prefix(text, 'x')) return {text.substr(2), 16};
  if (has_prefix(text, 'b')) return {text.substr(2), 2};
  if (text.size() > 1 && text[0] == '0') return {text.substr(1), 8};
  return {text, 10};
}

}  // namespace

double Constant::as_double() const {
  switch (kind) {
    case Kind::Signed:
      return static_cast<double>(static_cast<std::int64_t>(bits));
    case Kind::Unsigned:
      return static_cast<double>(bits);
    case Kind::Double:
      return std::bit_cast<double>(bits);
    case Kind::Single:
      break;
  }
  return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
}

Constant read_literal(const Token& token) {
  std::uint64_t plain = 0;
  if (token.text.size() < kPlainDigits && token.text[0] != '0' && read_number(token.text, plain)) {
    return {Constant::Kind::Signed, plain};
  }
  if (const auto value = raw_float(token.text)) return *value;
  if (is_decimal_float(token.text)) return decimal_float(token);
  std::string_view text = token.text;
  const bool is_unsigned = text.ends_with('U');
  if (is_unsigned) text.remove_suffix(1);
  const Digits digits = digits_of(text);
  const auto value = number_in<std::uint64_t>(digits.text, digits.base);
  if (!value) fail(token, fmt::format("{} is no number of 64 bits", quoted(token.text)));
  return {is_unsigned || *value >> 63 != 0 ? Constant::Kind::Unsigned : Constant::Kind::Signed, *value};
}

}  // namespace heddle::ptx
