#include "isa/base/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace heddle {

namespace {

std::string place(const SourceLocation& where) {
  if (where.line == 0) return where.file;
  if (where.column == 0) return fmt::format("{}:{}", where.file, where.line);
  return fmt::format("{}:{}:{}", where.file, where.line, where.column);
}

/// Blanks up to the given column. Tabs are kept, so that the caret stays below its column.
std::string caret_indent(const std::string& line, std::uint32_t column) {
  std::string indent;
  for (std::size_t i = 0; i + 1 < column; ++i) {
    indent += i < line.size() && line[i] == '\t' ? '\t' : ' ';
  }
  return indent;
}

/// A very long line is cut to a window around the column, so that a message stays readable.
std::string with_caret(const std::string& line, std::uint32_t column) {
  constexpr std::size_t kWindow = 160;
  if (line.size() <= kWindow) {
    return fmt::format("  {}\n  {}^\n", line, caret_indent(line, column));
  }
  const std::size_t at = std::min<std::size_t>(column - 1, line.size());
  const std::size_t begin = at > kWindow / 2 ? at - kWindow / 2 : 0;
  const std::string window = line.substr(begin, kWindow);
  return fmt::format("  {}\n  {}^\n", window, caret_indent(window, static_cast<std::uint32_t>(at - begin + 1)));
}

std::string all_text(const std::vector<Diagnostic>& list) {
  std::string text;
  for (const Diagnostic& diagnostic : list) text += to_text(diagnostic);
  return text;
}

}  // namespace

std::string to_text(const Diagnostic& diagnostic) {
  const std::string where = place(diagnostic.where);
  std::string text = where.empty() ? fmt::format("error: {}\n", diagnostic.message)
                                   : fmt::format("{}: error: {}\n", where, diagnostic.message);
  if (!diagnostic.source_line.empty() && diagnostic.where.column != 0) {
    text += with_caret(diagnostic.source_line, diagnostic.where.column);
  }
  return text;
}

void Diagnostics::add(SourceLocation where, std::string message, std::string source_line) {
  list_.push_back({std::move(where), std::move(message), std::move(source_line)});
}

void Diagnostics::add(const InputError& error, const SourceLocation& otherwise) {
  for (Diagnostic diagnostic : error.list()) {
    if (diagnostic.where.file.empty()) diagnostic.where = otherwise;
    add(std::move(diagnostic));
  }
}

void Diagnostics::throw_if_any() const {
  if (!list_.empty()) throw InputError(list_);
}

void Diagnostics::throw_each_once() const {
  Diagnostics told;
  std::set<std::string> texts;
  for (const Diagnostic& diagnostic : list_) {
    if (texts.insert(to_text(diagnostic)).second) told.add(diagnostic);
  }
  told.throw_if_any();
}

InputError::InputError(std::vector<Diagnostic> list)
    : std::runtime_error(all_text(list)), list_(std::move(list)) {}

InputError::InputError(SourceLocation where, std::string message)
    : InputError(std::vector<Diagnostic>{{std::move(where), std::move(message), {}}}) {}

}  // namespace heddle
