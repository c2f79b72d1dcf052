// Writes the columns of a line: words and numbers, each with a blank behind it.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "isa/base/types.h"

namespace heddle::trace {

/// Appends columns to a text. They are collected in a buffer, because a string checks its room at each
/// append; `flush` at the end appends the rest.
class ColumnWriter {
 public:
  explicit ColumnWriter(std::string& text) : text_(text) {}

  void word(std::string_view word) {
    put(word);
    put(' ');
  }
  /// A prefix and a number: R12.
  void name(std::string_view prefix, unsigned number) {
    put(prefix);
    decimal(number);
  }
  void decimal(std::integral auto number) {
    require_room();
    if (number >= 0 && number <= 9) {  // most are
      *at_++ = static_cast<char>('0' + number);
    } else {
      at_ = std::to_chars(at_, end(), number).ptr;
    }
    *at_++ = ' ';
  }
  /// With at least so many digits: 00ff.
  void hex(std::uint64_t number, unsigned least_digits = 1) {
    require_room();
    unsigned digits = least_digits;
    while (digits < kMostDigits && number >> 4 * digits != 0) ++digits;
    for (unsigned digit = digits; digit-- != 0; number >>= 4) at_[digit] = "0123456789abcdef"[number & 15];
    at_ += digits;
    *at_++ = ' ';
  }
  /// With 0x before it.
  void address(Addr address, unsigned least_digits = 1) {
    put("0x");
    hex(address, least_digits);
  }
  void end_line() { put('\n'); }

  void flush() {
    text_.append(buffer_.data(), at_);
    at_ = buffer_.data();
  }

 private:
  static constexpr unsigned kMostDigits = 16;           // hexadecimal
  static constexpr std::ptrdiff_t kLongestNumber = 21;  // with sign and blank

  [[nodiscard]] char* end() { return buffer_.data() + buffer_.size(); }
  void require_room() {
    if (end() - at_ < kLongestNumber) flush();
  }
  void put(char character) {
    if (at_ == end()) flush();
    *at_++ = character;
  }
  void put(std::string_view characters) {
    if (static_cast<std::size_t>(end() - at_) < characters.size()) flush();
    if (characters.size() > buffer_.size()) {
      text_ += characters;
    } else {
      at_ = std::copy(characters.begin(), characters.end(), at_);
    }
  }

  std::string& text_;
  std::array<char, 1024> buffer_;  // holds most lines
  char* at_ = buffer_.data();
};

}  // namespace heddle::trace
