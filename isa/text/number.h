// Parses number literals.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace heddle::text {

/// Reads a decimal integer, or a hexadecimal one with 0x. A number that does not fit gives the greatest
/// 64-bit value. Nothing if the text is no integer.
std::optional<std::uint64_t> parse_integer(std::string_view text);

bool is_hexadecimal(std::string_view text);

/// Reads the bits of a float in PTX form: 0f and eight hexadecimal digits.
std::optional<std::uint32_t> parse_raw_float(std::string_view text);

/// Why a floating-point literal could not be read.
enum class FloatError : std::uint8_t { None, NoNumber, OutOfRange };

/// The result of parse_float().
struct ParsedFloat {
  float value = 0;
  FloatError error = FloatError::None;
};

/// Reads a decimal float and rounds it to nearest even.
ParsedFloat parse_float(std::string_view text);

/// The result of parse_double().
struct ParsedDouble {
  double value = 0;
  FloatError error = FloatError::None;
};

/// The same in double precision.
ParsedDouble parse_double(std::string_view text);

}  // namespace heddle::text
