#include "isa/base/utf8.h"

namespace heddle {

namespace {

/// A row of the table of well-formed byte sequences (The Unicode Standard, table 3-7).
struct Utf8Row {
  unsigned char first, last;    ///< Of the first byte.
  unsigned char second, until;  ///< Of the second byte; all others are 80 to bf.
  std::size_t length;
};

constexpr Utf8Row kUtf8[] = {
    {0x00, 0x7f, 0x00, 0x00, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
    {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
    {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
};

/// How many bytes the first character has; 0 if it is none.
std::size_t character_length(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  for (const Utf8Row& row : kUtf8) {
    if (byte(0) < row.first || byte(0) > row.last) continue;
    if (text.size() < row.length) return 0;
    if (row.length > 1 && (byte(1) < row.second || byte(1) > row.until)) return 0;
    for (std::size_t i = 2; i < row.length; ++i) {
      if (byte(i) < 0x80 || byte(i) > 0xbf) return 0;
    }
    return row.length;
  }
  return 0;
}

}  // namespace

std::string as_utf8(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0) {
      result += '?';
      text.remove_prefix(1);
    } else {
      result += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return result;
}

}  // namespace heddle
