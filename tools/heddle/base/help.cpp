#include "tools/heddle/base/help.h"

#include <fmt/format.h>

#include <sstream>

namespace heddle::command {

namespace {

namespace po = boost::program_options;

constexpr std::size_t kTextColumn = 25;

OptionRow row_of(const po::option_description& option) {
  OptionRow row;
  row.name = option.long_name();
  const std::string letter = option.canonical_display_name(po::command_line_style::allow_dash_for_short);
  if (letter.starts_with("-")) row.letter = letter.substr(1);
  row.text = option.description();
  if (option.semantic()->max_tokens() == 0) return row;
  row.value = option.semantic()->name();  // "GPU|FILE (=h100)"
  row.is_list = option.semantic()->is_composing();
  const std::size_t usual = row.value.find(" (=");
  if (usual == std::string::npos) return row;
  row.usual = row.value.substr(usual + 3, row.value.size() - usual - 4);
  row.value.resize(usual);
  return row;
}

/// A name on the left and a text on the right, or below if the name is too long.
std::string entry(std::string_view name, std::string_view text, std::size_t column) {
  std::string line = fmt::format("  {}", name);
  if (line.size() + 2 > column) {
    line += '\n';
    line.append(column, ' ');
  } else {
    line.append(column - line.size(), ' ');
  }
  return line + wrapped(text, kHelpColumns - column, column) + '\n';
}

std::string options_text(const Syntax& syntax) {
  std::string text = "\noptions:\n";
  for (const OptionRow& row : option_rows(syntax)) {
    const std::string usual = row.usual.empty() ? "" : fmt::format("; {} if not given", row.usual);
    text += entry(option_text(row), row.text + usual, kTextColumn);
  }
  return text;
}

std::string commands_text(std::span<const Command> commands) {
  std::size_t longest = 0;
  for (const Command& command : commands) longest = std::max(longest, command.name.size());
  std::string text = "\ncommands:\n";
  for (const Command& command : commands) text += entry(command.name, command.summary, longest + 4);
  return text;
}

/// Blank lines separate paragraphs; other line ends become spaces.
std::string paragraphs_of(std::string_view text) {
  std::string lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find("\n\n"), text.size());
    lines += fmt::format("\n{}\n", wrapped(text.substr(0, end), kHelpColumns, 0));
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  return lines;
}

/// A line that is too long is continued in the way of a shell.
std::string example_text(std::string_view line) {
  constexpr std::size_t kIndent = 6;
  if (line.size() <= kHelpColumns) return fmt::format("{}\n", line);
  const std::string command = wrapped(line, kHelpColumns - kIndent - 2, kIndent);
  std::string text = "  ";
  for (const char c : command) text += c == '\n' ? std::string(" \\\n") : std::string(1, c);
  return text + '\n';
}

std::string usage_text(std::string_view usage) {
  constexpr std::string_view kHead = "usage: ";
  constexpr std::size_t kIndent = 11;
  std::string text;
  while (!usage.empty()) {
    const std::size_t end = std::min(usage.find('\n'), usage.size());
    text += fmt::format("{:<{}}{}\n", text.empty() ? kHead : "", kHead.size(),
                        wrapped(usage.substr(0, end), kHelpColumns - kIndent, kIndent));
    usage.remove_prefix(std::min(end + 1, usage.size()));
  }
  return text;
}

}  // namespace

std::vector<OptionRow> option_rows(const Syntax& syntax) {
  std::vector<OptionRow> rows;
  for (const auto& option : syntax.options.options()) rows.push_back(row_of(*option));
  return rows;
}

std::string option_text(const OptionRow& row) {
  const std::string letter = row.letter.empty() ? "" : fmt::format("-{}, ", row.letter);
  return fmt::format("{}--{}{}{}", letter, row.name, row.value.empty() ? "" : " ", row.value);
}

std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent) {
  std::istringstream words{std::string(text)};
  std::string lines;
  std::size_t column = 0;
  for (std::string word; words >> word; column += word.size()) {
    if (column != 0 && column + 1 + word.size() > columns) {
      lines += '\n';
      lines.append(indent, ' ');
      column = 0;
    } else if (column != 0) {
      lines += ' ';
      ++column;
    }
    lines += word;
  }
  return lines;
}

std::string help_text(const Syntax& syntax, std::span<const Command> commands) {
  std::string text = usage_text(syntax.usage) + paragraphs_of(syntax.about);
  if (!commands.empty()) text += commands_text(commands);
  text += options_text(syntax) + "\nexamples:\n";
  std::istringstream examples{std::string(syntax.examples)};
  for (std::string line; std::getline(examples, line);) text += example_text(line);
  return syntax.notes.empty() ? text : text + '\n' + syntax.notes;
}

}  // namespace heddle::command
