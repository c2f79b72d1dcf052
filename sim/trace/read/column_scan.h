// Scans the columns of one line: numbers, words, the spaces between them.
//
// A line ends in '\n', and at least kScanRoom bytes behind it are readable. So no scan checks for the end,
// and eight hexadecimal digits are read at once.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include "sim/trace/read/address_columns.h"

namespace heddle::trace {

inline constexpr std::size_t kScanRoom = 32 + kBehindColumns;

/// A line that does not have the form that the format requires. Scans throw it; readers catch it because they
/// know the line.
struct Malformed {
  const char* at = nullptr;  ///< Position in the line; null if the mistake is not at one position.
  std::string message;
};

/// The characters up to the next space or the end of the line.
inline std::string_view word_at(const char* at) {
  const char* end = at;
  while (*end != ' ' && *end != '\n') ++end;
  return {at, static_cast<std::size_t>(end - at)};
}

/// The word in quotes, short and printable; "the end of the line" if there is none.
std::string quoted_word(const char* at);
std::string quoted(std::string_view text);

[[noreturn]] void throw_malformed(const char* at, std::string_view expected);

inline void skip_spaces(const char*& at) {
  while (*at == ' ') ++at;
}

inline bool ends_number(char next) { return next == ' ' || next == '\n'; }

/// Scans the digits of a decimal number whose word begins at `begin`, and the spaces behind it.
inline std::uint64_t scan_digits(const char* begin, const char*& at, const char* what, std::uint64_t most) {
  const char* const first = at;
  std::uint64_t value = 0;
  bool fits = true;
  for (unsigned digit = 0; (digit = static_cast<unsigned char>(*at) - unsigned{'0'}) <= 9; ++at) {
    fits = fits && value <= (std::numeric_limits<std::uint64_t>::max() - digit) / 10;
    value = value * 10 + digit;
  }
  if (at == first || !ends_number(*at) || !fits || value > most) throw_malformed(begin, what);
  skip_spaces(at);
  return value;
}

/// Scans a decimal number without sign, and the spaces behind it.
inline std::uint64_t scan_decimal(const char*& at, const char* what,
                                  std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
  const char* const begin = at;
  return scan_digits(begin, at, what, most);
}

/// Scans a decimal number that can be negative, and the spaces behind it. Unsigned numbers of 64 bits wrap
/// around.
inline std::int64_t scan_signed(const char*& at, const char* what) {
  const char* const begin = at;
  if (*at != '-') return static_cast<std::int64_t>(scan_decimal(at, what));
  ++at;
  return static_cast<std::int64_t>(0 - scan_digits(begin, at, what, std::uint64_t{1} << 63));
}

namespace hex {

inline constexpr std::uint64_t kEach = 0x0101010101010101U;
inline constexpr std::uint64_t kHigh = 0x80 * kEach;

/// Eight characters; the first one is in the lowest byte.
inline std::uint64_t load(const char* at) {
  std::uint64_t characters = 0;
  std::memcpy(&characters, at, sizeof characters);
  if constexpr (std::endian::native == std::endian::big) {
    std::uint64_t swapped = 0;
    for (int i = 0; i < 8; ++i) swapped = swapped << 8 | (characters >> 8 * i & 0xff);
    return swapped;
  }
  return characters;
}

/// Number of characters before the first one below '0', which ends a number.
inline unsigned length(std::uint64_t characters) {
  const std::uint64_t stops = ~(((characters & ~kHigh) + 0x50 * kEach) | characters) & kHigh;
  return stops == 0 ? 8 : static_cast<unsigned>(std::countr_zero(stops)) / 8;
}

inline bool are_digits(std::uint64_t characters) {
  const std::uint64_t low = characters & ~kHigh;
  const std::uint64_t from_0 = low + 0x50 * kEach;  // the high bit is set from '0' on,
  const std::uint64_t lower = low | 0x20 * kEach;
  const std::uint64_t above_9 = lower + 0x46 * kEach;  // from ':' on,
  const std::uint64_t letters = lower + 0x1f * kEach;  // from 'a' on,
  const std::uint64_t above_f = lower + 0x19 * kEach;  // and from 'g' on
  return ((~from_0 | (above_9 & ~letters) | above_f | characters) & kHigh) == 0;
}

/// The value of eight hexadecimal digits.
inline std::uint64_t value(std::uint64_t digits) {
  std::uint64_t sum = (digits & 0x0f * kEach) + 9 * (digits >> 6 & kEach);
  sum = (sum << 4 | sum >> 8) & 0x00ff00ff00ff00ffU;
  sum = (sum << 8 | sum >> 16) & 0x0000ffff0000ffffU;
  return (sum << 16 | sum >> 32) & 0xffffffffU;
}

/// Fills fewer than eight digits up with leading '0's.
inline std::uint64_t padded(std::uint64_t characters, unsigned length) {
  const unsigned missing = 8 * (8 - length);
  return missing == 0 ? characters : characters << missing | (0x30 * kEach) >> (64 - missing);
}

}  // namespace hex

/// Scans a hexadecimal number with or without 0x, and the spaces behind it.
inline std::uint64_t scan_hex(const char*& at, const char* what,
                              std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
  const char* const begin = at;
  if (at[0] == '0' && at[1] == 'x') at += 2;
  const char* const first = at;
  std::uint64_t value = 0;
  for (unsigned length = 8; length == 8;) {
    const std::uint64_t characters = hex::load(at);
    length = hex::length(characters);
    if (length == 0) break;
    const std::uint64_t digits = hex::padded(characters, length);
    if (!hex::are_digits(digits) || at - first + length > 16) throw_malformed(begin, what);
    value = value << 4 * length | hex::value(digits);
    at += length;
  }
  if (at == first || !ends_number(*at) || value > most) throw_malformed(begin, what);
  skip_spaces(at);
  return value;
}

}  // namespace heddle::trace
