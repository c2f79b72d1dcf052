// Parses a text that is a number and nothing else.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace heddle {

/// Reads a decimal number, or a whole number in another base. False if the text is no number, or if it does
/// not fit; then `number` is undefined.
template <typename Number, typename... Base>
bool read_number(std::string_view text, Number& number, Base... base) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, base...);
  return error == std::errc() && stop == end;
}

/// The same. Nothing if the text is no number, or if it does not fit.
template <typename Number, typename... Base>
std::optional<Number> number_in(std::string_view text, Base... base) {
  Number number{};
  return read_number(text, number, base...) ? std::optional(number) : std::nullopt;
}

}  // namespace heddle
