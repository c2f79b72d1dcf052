#include "tools/cuda/alignas_first.h"

#include <algorithm>
#include <string_view>

namespace heddle::cuda {

namespace {

constexpr std::string_view kShared = "__attribute__((shared))";  // what __shared__ becomes
constexpr std::string_view kAlignas = "alignas";
constexpr std::string_view kBlanks = " \t\n";

/// Behind the parenthesis that closes the one at `open`; npos if none does.
std::size_t end_of_parentheses(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == '(') ++depth;
    if (text[at] == ')' && --depth == 0) return at + 1;
  }
  return std::string_view::npos;
}

/// Where "alignas(...)" ends that begins there; npos if none does.
std::size_t end_of_alignas(std::string_view text, std::size_t at) {
  if (at == std::string_view::npos || !text.substr(at).starts_with(kAlignas)) return std::string_view::npos;
  const std::size_t open = text.find_first_not_of(kBlanks, at + kAlignas.size());
  if (open == std::string_view::npos || text[open] != '(') return std::string_view::npos;
  return end_of_parentheses(text, open);
}

/// Whether no other specifier stands before. A line with # says where the next ones come from.
bool begins_declaration(std::string_view text, std::size_t at) {
  const std::size_t last = text.substr(0, at).find_last_not_of(kBlanks);
  if (last == std::string_view::npos) return true;
  const std::size_t line = text.substr(0, last + 1).rfind('\n') + 1;  // 0 behind npos
  return text[line] == '#' || std::string_view(";{}):>").find(text[last]) != std::string_view::npos;
}

}  // namespace

std::optional<std::string> with_alignas_first(const std::string& preprocessed) {
  const std::string_view text = preprocessed;
  std::string result;
  std::size_t done = 0;
  for (std::size_t at = text.find(kShared); at != std::string_view::npos; at = text.find(kShared, at + 1)) {
    const std::size_t begin = text.find_first_not_of(kBlanks, at + kShared.size());
    const std::size_t end = end_of_alignas(text, begin);
    if (end == std::string_view::npos || !begins_declaration(text, at)) continue;
    result.append(text.substr(done, at - done));
    result.append(text.substr(begin, end - begin)).append(" ").append(kShared);
    const std::string_view between = text.substr(at + kShared.size(), begin - at - kShared.size());
    result.append(static_cast<std::size_t>(std::ranges::count(between, '\n')), '\n');
    done = end;
  }
  if (done == 0) return std::nullopt;
  return result.append(text.substr(done));
}

}  // namespace heddle::cuda
