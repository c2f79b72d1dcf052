#include "tools/heddle/help/man_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "tools/heddle/base/help.h"

namespace heddle::command {

namespace {

/// Columns of the source, in which a character can take four.
constexpr std::size_t kColumns = 64;

/// Escapes text for roff: no line begins with a dot or a quote, and dashes stay as typed.
std::string plain(std::string_view text) {
  std::string safe;
  bool is_line_begin = true;
  for (const char c : text) {
    if (is_line_begin && (c == '.' || c == '\'')) safe += "\\&";
    is_line_begin = c == '\n';
    if (c == '\\') {
      safe += "\\e";
    } else if (c == '-' || c == '~' || c == '^' || c == '`' || c == '\'') {
      safe += c == '-' ? "\\-" : c == '~' ? "\\(ti" : c == '^' ? "\\(ha" : c == '`' ? "\\(ga" : "\\(aq";
    } else {
      safe += c;
    }
  }
  return safe;
}

/// Paragraphs with newly broken lines.
std::string paragraphs(std::string_view text) {
  std::string lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find("\n\n"), text.size());
    if (!lines.empty()) lines += ".PP\n";
    lines += plain(wrapped(text.substr(0, end), kColumns, 0)) + '\n';
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  return lines;
}

std::string as_typed(std::string_view lines) {
  std::string text(lines);
  while (text.ends_with('\n')) text.pop_back();
  return fmt::format(".nf\n{}\n.fi\n", plain(text));
}

std::string upper(std::string_view text) {
  std::string letters(text);
  std::transform(letters.begin(), letters.end(), letters.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return letters;
}

/// "heddle\\-run \\- simulates launches", the line that apropos(1) searches.
std::string head(const std::string& name, std::string_view summary, std::string_view version) {
  return fmt::format(".TH {} 1 {} \"heddle {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n", plain(upper(name)),
                     HEDDLE_DATE, version, plain(name), plain(wrapped(summary, kColumns - name.size(), 0)));
}

std::string synopsis(std::string_view usage) {
  std::string text = ".SH SYNOPSIS\n";
  std::istringstream lines{std::string(usage)};
  bool is_first = true;
  for (std::string line; std::getline(lines, line); is_first = false) {
    if (!is_first) text += ".br\n";
    text += plain(wrapped(line, kColumns, 0)) + '\n';
  }
  return text;
}

std::string options(const Syntax& syntax) {
  std::string text = ".SH OPTIONS\n";
  for (const OptionRow& row : option_rows(syntax)) {
    const std::string letter = row.letter.empty() ? "" : fmt::format("\\fB\\-{}\\fR, ", plain(row.letter));
    const std::string value = row.value.empty() ? "" : fmt::format(" \\fI{}\\fR", plain(row.value));
    const std::string usual = row.usual.empty() ? "" : fmt::format("; {} if not given", row.usual);
    const std::string_view several = row.is_list ? "; may be given several times" : "";
    text += fmt::format(".TP\n{}\\fB\\-\\-{}\\fR{}\n{}\n", letter, plain(row.name), value,
                        plain(wrapped(fmt::format("{}{}{}", row.text, usual, several), kColumns, 0)));
  }
  return text;
}

std::string list_of_commands(const std::string& name, std::span<const Command> commands) {
  std::string text = ".SH COMMANDS\n";
  for (const Command& command : commands)
    text += fmt::format(".TP\n\\fB{}\\-{}\\fR(1)\n{}\n", plain(name), plain(command.name),
                        plain(command.summary));
  return text;
}

std::string exit_status() {
  std::string text = ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : kExitCodes)
    text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", static_cast<int>(code), plain(meaning));
  return text;
}

constexpr std::string_view kEnvironment =
    ".SH ENVIRONMENT\n"
    ".TP\n\\fBHEDDLE_CONFIGS\\fR\nthe folder of the GPU files; the examples are in \\fItraces\\fR beside it\n"
    ".TP\n\\fBNO_COLOR\\fR\nif set, reports have no colours\n";

struct Subject {
  std::string name;
  std::string summary;
  std::span<const Command> commands;
  std::string above;  ///< The page of its parent command; empty if there is none.
};

std::string page_of(const Subject& subject, const Syntax& syntax, std::string_view version) {
  std::string text = head(subject.name, subject.summary, version) + synopsis(syntax.usage) +
                     ".SH DESCRIPTION\n" + paragraphs(syntax.about);
  if (!subject.commands.empty()) text += list_of_commands(subject.name, subject.commands);
  text += options(syntax) + exit_status() + kEnvironment.data();
  text += ".SH EXAMPLES\n" + as_typed(syntax.examples);
  if (!syntax.notes.empty() && !subject.above.empty()) text += ".SH NOTES\n" + as_typed(syntax.notes);
  if (!subject.above.empty()) text += fmt::format(".SH SEE ALSO\n\\fB{}\\fR(1)\n", plain(subject.above));
  return text;
}

void add_pages(const std::string& above, std::span<const Command> table, std::string_view version,
               std::vector<ManPage>& pages) {
  for (const Command& command : table) {
    const std::span<const Command> own =
        command.commands == nullptr ? std::span<const Command>() : command.commands();
    const std::string name = fmt::format("{}-{}", above, command.name);
    pages.push_back(
        {name, page_of({name, std::string(command.summary), own, above}, command.syntax(), version)});
    add_pages(name, own, version, pages);
  }
}

}  // namespace

std::vector<ManPage> man_pages(const Program& program) {
  const Subject heddle = {"heddle", "simulates GPU kernels warp by warp", program.commands, ""};
  std::vector<ManPage> pages = {{"heddle", page_of(heddle, program.syntax, program.version)}};
  add_pages("heddle", program.commands, program.version, pages);
  return pages;
}

}  // namespace heddle::command
