#include "sim/trace/read/column_scan.h"

#include <fmt/format.h>

namespace heddle::trace {

std::string quoted(std::string_view text) {
  constexpr std::size_t kShown = 40;
  std::string shown = "'";
  for (const char c : text.substr(0, kShown)) shown += c >= ' ' && c <= '~' ? c : '?';
  return shown + (text.size() > kShown ? "...'" : "'");
}

std::string quoted_word(const char* at) { return *at == '\n' ? "the end of the line" : quoted(word_at(at)); }

void throw_malformed(const char* at, std::string_view expected) {
  throw Malformed{at, fmt::format("{} stands where {} should be", quoted_word(at), expected)};
}

}  // namespace heddle::trace
