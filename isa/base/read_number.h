// Text that is a number, and nothing else.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace heddle {

/// In decimal, or whole numbers to a base. False if it is none, or does not fit; `number` then holds nothing
/// of use.
template <typename Number, typename... Base>
bool read_number(std::string_view text, Number& number, Base... base) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, base...);
  return error == std::errc() && stop == end;
}

/// The same; nothing if it is none, or does not fit.
template <typename Number, typename... Base>
std::optional<Number> number_in(std::string_view text, Base... base) {
  Number number{};
  return read_number(text, number, base...) ? std::optional(number) : std::nullopt;
}

}  // namespace heddle
