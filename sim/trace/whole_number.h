// Text that is a number, and nothing else.
#pragma once

#include <charconv>
#include <string_view>

namespace heddle::trace {

/// False if it is none, or does not fit; `number` then holds nothing of use.
template <typename Number>
bool read_whole_number(std::string_view text, Number& number, int base = 10) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, base);
  return error == std::errc() && stop == end;
}

}  // namespace heddle::trace
