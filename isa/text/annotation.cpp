#include "isa/text/annotation.h"

#include <algorithm>
#include <array>

namespace heddle::text {

namespace {

constexpr std::array<std::string_view, 3> kWaits = {"&req=", "&wr=", "&rd="};
constexpr std::array<std::string_view, 4> kHints = {"?trans", "?WAIT", "?NOTRANS", "?INSTRET"};

bool is_hexadecimal_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool begins_with_any(std::string_view text, const auto& beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [text](std::string_view beginning) { return text.starts_with(beginning); });
}

/// Up to the end of the value, which may be a set in braces.
std::size_t up_to_blank(std::string_view text) {
  const std::size_t brace = text.find('{');
  const std::size_t end = std::min(text.find_first_of(" \t\r\n;"), text.size());
  if (brace >= end) return end;
  const std::size_t close = text.find_first_of("}\r\n;", brace);
  return close < text.size() && text[close] == '}' ? close + 1 : 0;
}

/// [B------:R-:W0:-:S01]
std::size_t bracketed_length(std::string_view text) {
  constexpr std::size_t kLongest = 32;
  if (!text.starts_with("[B") || text.substr(0, kLongest).find(":R") == std::string_view::npos) return 0;
  const std::size_t end = text.substr(0, kLongest).find_first_of("]\n");
  return end != std::string_view::npos && text[end] == ']' ? end + 1 : 0;
}

/// --:-:0:Y:1: what is waited for, read barrier, write barrier, yield, stalls.
std::size_t columns_length(std::string_view text) {
  constexpr std::string_view kForm = "xx:x:x:x:x";
  if (text.size() < kForm.size()) return 0;
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    const char c = text[i];
    const bool fits =
        kForm[i] == ':' ? c == ':' : c == '-' || c == 'Y' || c == 'P' || is_hexadecimal_digit(c);
    if (!fits) return 0;
  }
  std::size_t length = kForm.size();
  while (length < text.size() && is_hexadecimal_digit(text[length])) ++length;
  return length;
}

/// (* ... *)
std::size_t starred_length(std::string_view text) {
  if (!text.starts_with("(*")) return 0;
  const std::size_t end = text.substr(0, text.find('\n')).find("*)", 2);
  return end == std::string_view::npos ? 0 : end + 2;
}

}  // namespace

std::size_t annotation_length(std::string_view text) {
  if (text.empty()) return 0;
  switch (text.front()) {
    case '&':
      return begins_with_any(text, kWaits) ? up_to_blank(text) : 0;
    case '?':
      return begins_with_any(text, kHints) ? up_to_blank(text) : 0;
    case '[':
      return bracketed_length(text);
    case '(':
      return starred_length(text);
    default:
      return columns_length(text);
  }
}

}  // namespace heddle::text
