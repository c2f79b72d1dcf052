#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tools/heddle/help/completion.h"

namespace heddle::command {

namespace {

constexpr std::string_view kEngine = R"sh(
# Words, and the words of kinds.
_heddle_values() {
  local kind
  local -a found
  for kind; do
    case $kind in
      @files) _files ;;
      @folders) _files -/ ;;
      @keys)
        found=(${(f)"$($_heddle_program help --words keys 2>/dev/null)"})
        compadd -q -S = -a found ;;
      @*)
        found=(${(f)"$($_heddle_program help --words ${kind#@} 2>/dev/null)"})
        compadd -a found ;;
      *) compadd -- $kind ;;
    esac
  done
}

_heddle() {
  local _heddle_program=${~${(Q)words[1]}} curcontext=$curcontext state line
  typeset -A opt_args
  _heddle_of_
}

_heddle "$@"
)sh";

/// Puts the text in single quotes.
std::string quoted(std::string_view text) {
  std::string safe;
  for (const char c : text) safe += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return safe;
}

/// Escapes the description of an option, in which brackets and colons have a meaning.
std::string description(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') safe += '\\';
    safe += c;
  }
  return quoted(safe);
}

std::string action(const Candidates& candidates) {
  return candidates.empty() ? " " : fmt::format("{{_heddle_values {}}}", fmt::join(candidates, " "));
}

std::string option(const OptionRow& row) {
  std::string value;
  if (!row.value.empty())
    value = fmt::format(":{}:{}", description(row.value), action(candidates_of_value(row.value)));
  const std::string text = fmt::format("[{}]{}", description(row.text), value);
  const std::string equals = row.value.empty() ? "" : "=";
  if (row.is_list) return fmt::format("'*--{}{}{}'", row.name, equals, text);
  if (row.letter.empty()) return fmt::format("'--{}{}{}'", row.name, equals, text);
  return fmt::format("'(-{0} --{1})'{{-{0},--{1}{2}}}'{3}'", row.letter, row.name, equals, text);
}

/// "_heddle_of_trace_info".
std::string function_of(std::string_view path) {
  std::string name = "_heddle_of_";
  for (const char c : path) name += c == ' ' ? '_' : c;
  return name;
}

std::string options(const Place& place) {
  std::string text;
  for (const OptionRow& row : place.options) text += fmt::format(" \\\n    {}", option(row));
  return text;
}

std::string list_of_commands(const Place& place) {
  std::string text = "  local -a commands=(\n";
  for (const auto& [name, summary] : place.commands)
    text += fmt::format("    '{}:{}'\n", name, description(summary));
  return text + "  )\n";
}

std::string function_with_commands(const Place& place) {
  std::string text = fmt::format("{}() {{\n{}  _arguments -C{} \\\n    '1: :->command' '*:: :->rest'\n",
                                 function_of(place.path), list_of_commands(place), options(place));
  text +=
      "  case $state in\n    command) _describe command commands ;;\n    rest)\n      case $words[1] in\n";
  for (const auto& [name, summary] : place.commands) {
    const std::string path = place.path.empty() ? name : fmt::format("{} {}", place.path, name);
    text += fmt::format("        {}) {} ;;\n", name, function_of(path));
  }
  return text + "      esac ;;\n  esac\n}\n\n";
}

/// heddle help takes the commands of heddle and their subcommands.
std::string help_function(const Place& place, const std::vector<Place>& all) {
  std::string text = fmt::format("{}() {{\n{}  _arguments -C{} \\\n    '1: :->command' '*:: :->rest'\n",
                                 function_of(place.path), list_of_commands(all.front()), options(place));
  text +=
      "  case $state in\n    command) _describe command commands ;;\n    rest)\n      case $words[1] in\n";
  for (const Place& each : all) {
    if (each.path.empty() || each.commands.empty()) continue;
    std::vector<std::string> names;
    for (const auto& [name, summary] : each.commands) names.push_back(name);
    text += fmt::format("        {}) compadd -- {} ;;\n", each.path, fmt::join(names, " "));
  }
  return text + "      esac ;;\n  esac\n}\n\n";
}

std::string function(const Place& place, const std::vector<Place>& all) {
  if (place.path == "help") return help_function(place, all);
  if (!place.commands.empty()) return function_with_commands(place);
  const std::string operands =
      place.operands.empty() ? "" : fmt::format(" \\\n    '*:argument:{}'", action(place.operands));
  return fmt::format("{}() {{\n  _arguments -s{}{}\n}}\n\n", function_of(place.path), options(place),
                     operands);
}

}  // namespace

std::string zsh_completion(const Program& program) {
  const std::vector<Place> all = places(program);
  std::string script =
      "#compdef heddle\n# Completion of heddle for zsh, made by: heddle help --completion zsh\n\n";
  for (const Place& place : all) script += function(place, all);
  return script + std::string(kEngine.substr(1));
}

}  // namespace heddle::command
