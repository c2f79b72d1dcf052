#include "tools/cuda/declared_parameters.h"

#include <algorithm>
#include <optional>

#include "isa/base/cpp_name.h"

namespace heddle::cuda {

namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// The source with spaces in the place of comments and of what is quoted. Lines stay where they are.
std::string without_comments(std::string_view source) {
  std::string text(source);
  std::size_t i = 0;
  const auto blank_to = [&](std::size_t end) {
    for (; i < std::min(end, text.size()); ++i) {
      if (text[i] != '\n') text[i] = ' ';
    }
  };
  const auto behind = [&](std::size_t found, std::size_t length) {
    return found == std::string::npos ? text.size() : found + length;
  };
  while (i < text.size()) {
    if (text.compare(i, 2, "//") == 0) {
      blank_to(behind(text.find('\n', i), 0));
    } else if (text.compare(i, 2, "/*") == 0) {
      blank_to(behind(text.find("*/", i + 2), 2));
    } else if (text[i] == '"') {
      std::size_t end = i + 1;
      while (end < text.size() && text[end] != '"' && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
      blank_to(end + 1);
    } else {
      ++i;
    }
  }
  return text;
}

std::size_t find_word(std::string_view text, std::string_view word, std::size_t from) {
  for (std::size_t at = text.find(word, from); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !is_word(text[at - 1]);
    const std::size_t end = at + word.size();
    if (begins && (end == text.size() || !is_word(text[end]))) return at;
  }
  return std::string_view::npos;
}

/// The last word in front of a default value or of the brackets of an array.
std::string_view name_in(std::string_view declaration) {
  declaration = declaration.substr(0, declaration.find_first_of("=["));
  std::size_t end = declaration.size();
  while (end > 0 && !is_word(declaration[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && is_word(declaration[begin - 1])) --begin;
  return declaration.substr(begin, end - begin);
}

/// The parameters behind the bracket that opens at `open`.
std::vector<DeclaredParameter> parameters_from(std::string_view text, std::size_t open) {
  std::vector<DeclaredParameter> parameters;
  int depth = 0;
  std::size_t begin = open + 1;
  for (std::size_t i = open; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(' || c == '<' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == '>' || c == ']' || c == '}') --depth;
    const bool ends = (c == ',' && depth == 1) || depth == 0;
    if (!ends) continue;
    const std::string_view name = name_in(text.substr(begin, i - begin));
    if (!name.empty()) {
      const auto* const end = text.data() + (name.data() - text.data());
      parameters.push_back(
          {std::string(name), static_cast<std::uint32_t>(1 + std::count(text.data(), end, '\n'))});
    }
    if (depth == 0) break;
    begin = i + 1;
  }
  return parameters;
}

/// The bracket behind the name, where this __global__ declares it.
std::optional<std::size_t> bracket_of(std::string_view text, std::size_t global, const std::string& name) {
  const std::size_t at = find_word(text, name, global);
  if (at == std::string_view::npos) return std::nullopt;
  if (text.substr(global, at - global).find_first_of("{;") != std::string_view::npos) return std::nullopt;
  const std::size_t open = text.find_first_not_of(" \t\r\n", at + name.size());
  return open != std::string_view::npos && text[open] == '(' ? std::optional(open) : std::nullopt;
}

}  // namespace

std::vector<DeclaredParameter> declared_parameters(std::string_view source, const std::string& kernel) {
  const std::string name = unqualified_name(demangled(kernel));
  const std::string text = without_comments(source);
  std::vector<DeclaredParameter> found;
  constexpr std::string_view kGlobal = "__global__";
  for (std::size_t at = find_word(text, kGlobal, 0); at != std::string::npos;
       at = find_word(text, kGlobal, at + 1)) {
    const auto open = bracket_of(text, at, name);
    if (!open) continue;
    std::vector<DeclaredParameter> parameters = parameters_from(text, *open);
    // A prototype says the same as the function; functions of one name that take different ones are not told
    // apart.
    if (!found.empty() && found.size() != parameters.size()) return {};
    found = std::move(parameters);
  }
  return found;
}

}  // namespace heddle::cuda
