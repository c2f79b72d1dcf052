// Number literals.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace heddle::text {

/// A decimal integer, or a hexadecimal one behind 0x; the greatest 64-bit value if it does not fit. Nothing
/// if the text is no integer.
std::optional<std::uint64_t> parse_integer(std::string_view text);

bool is_hexadecimal(std::string_view text);

/// The bits of a float written as PTX does: 0f and eight hexadecimal digits.
std::optional<std::uint32_t> parse_raw_float(std::string_view text);

enum class FloatError : std::uint8_t { None, NoNumber, OutOfRange };

struct ParsedFloat {
  float value = 0;
  FloatError error = FloatError::None;
};

/// A decimal float, rounded to nearest even.
ParsedFloat parse_float(std::string_view text);

struct ParsedDouble {
  double value = 0;
  FloatError error = FloatError::None;
};

/// The same in double precision.
ParsedDouble parse_double(std::string_view text);

}  // namespace heddle::text
