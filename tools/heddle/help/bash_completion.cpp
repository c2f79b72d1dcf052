#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tools/heddle/help/completion.h"

namespace heddle::command {

namespace {

/// Bash parts words at '=' and ':', so that "--gpu=h1" comes as three, and "--set l1.ways=4", too.
constexpr std::string_view kEngine = R"sh(
# The words of kinds, and words themselves, that begin as the current one does.
_heddle_match() {
  local kind found=()
  for kind; do
    case $kind in
      @files)
        compopt -o filenames 2>/dev/null
        mapfile -t found < <(compgen -f -- "$cur") ;;
      @folders)
        compopt -o filenames 2>/dev/null
        mapfile -t found < <(compgen -d -- "$cur") ;;
      @commands) mapfile -t found < <(compgen -W "$(_heddle_commands "$path")" -- "$cur") ;;
      @keys)
        compopt -o nospace 2>/dev/null
        mapfile -t found < <(compgen -S = -W "$("$program" help --words keys 2>/dev/null)" -- "$cur") ;;
      @*) mapfile -t found < <(compgen -W "$("$program" help --words "${kind#@}" 2>/dev/null)" -- "$cur") ;;
      *) mapfile -t found < <(compgen -W "$kind" -- "$cur") ;;
    esac
    COMPREPLY+=("${found[@]}")
  done
}

_heddle() {
  local program=${1/#\~/$HOME} cur=${COMP_WORDS[COMP_CWORD]} last=$COMP_CWORD
  local path= option= awaited=0 assigned=0 word i
  COMPREPLY=()
  # Of "--gpu=" the current word is the '=': what follows it is still empty.
  if [[ $cur == = ]]; then cur= last=$((last + 1)); fi
  for ((i = 1; i < last; i++)); do
    word=${COMP_WORDS[i]}
    if [[ $word == = ]]; then
      assigned=$((!awaited))
    elif ((awaited || assigned)); then
      awaited=0 assigned=0
    elif [[ $word == -* ]]; then
      option=$word
      if _heddle_has_value "$path" "$word"; then awaited=1; fi
    else
      option=
      if [[ " $(_heddle_commands "$path") " == *" $word "* ]]; then path=${path:+$path }$word; fi
    fi
  done
  if ((awaited)); then
    _heddle_match $(_heddle_values "$path" "$option")
  elif ((assigned)); then
    if [[ " $(_heddle_values "$path" "$option") " == *" @files "* ]]; then _heddle_match @files; fi
  elif [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_heddle_options "$path")" -- "$cur")
  else
    _heddle_match $(_heddle_operands "$path")
  fi
}

complete -F _heddle heddle
)sh";

std::string names_of(const std::vector<std::pair<std::string, std::string>>& commands) {
  std::vector<std::string> names;
  names.reserve(commands.size());
  for (const auto& [name, summary] : commands) names.push_back(name);
  return fmt::format("{}", fmt::join(names, " "));
}

/// A shell function that prints the text for the command in its first argument.
template <typename TextOf>
std::string function(std::string_view name, const std::vector<Place>& all, TextOf text_of) {
  std::string lines = fmt::format("{}() {{\n  case $1 in\n", name);
  for (const Place& place : all) {
    const std::string text = text_of(place);
    if (!text.empty()) lines += fmt::format("    '{}') echo '{}' ;;\n", place.path, text);
  }
  return lines + "  esac\n}\n\n";
}

std::string options_of(const Place& place) {
  std::vector<std::string> names;
  for (const OptionRow& row : place.options) {
    names.push_back(fmt::format("--{}", row.name));
    if (!row.letter.empty()) names.push_back(fmt::format("-{}", row.letter));
  }
  return fmt::format("{}", fmt::join(names, " "));
}

/// A shell pattern for "run --gpu", and for "run -o" if the option has a letter.
std::string pattern_of(const Place& place, const OptionRow& row) {
  const std::string whole = fmt::format("'{} --{}'", place.path, row.name);
  return row.letter.empty() ? whole : fmt::format("{} | '{} -{}'", whole, place.path, row.letter);
}

std::string values_functions(const std::vector<Place>& all) {
  std::string having = "_heddle_has_value() {\n  case \"$1 $2\" in\n";
  std::string values = "_heddle_values() {\n  case \"$1 $2\" in\n";
  for (const Place& place : all) {
    for (const OptionRow& row : place.options) {
      if (row.value.empty()) continue;
      having += fmt::format("    {}) ;;\n", pattern_of(place, row));
      const Candidates candidates = candidates_of_value(row.value);
      if (candidates.empty()) continue;
      values += fmt::format("    {}) echo '{}' ;;\n", pattern_of(place, row), fmt::join(candidates, " "));
    }
  }
  return having + "    *) return 1 ;;\n  esac\n}\n\n" + values + "  esac\n}\n";
}

/// Adds the commands that can follow "help".
std::vector<Place> with_helped(std::vector<Place> all) {
  std::vector<Place> helped;
  for (const Place& place : all) {
    if (place.commands.empty()) continue;
    helped.push_back({place.path.empty() ? "help" : "help " + place.path, place.commands, {}, {"@commands"}});
  }
  const auto help =
      std::find_if(all.begin(), all.end(), [](const Place& each) { return each.path == "help"; });
  help->commands = helped.front().commands;
  all.insert(all.end(), helped.begin() + 1, helped.end());
  return all;
}

}  // namespace

std::string bash_completion(const Program& program) {
  const std::vector<Place> all = with_helped(places(program));
  std::string script = "# Completion of heddle for bash, made by: heddle help --completion bash\n\n";
  script += function("_heddle_commands", all, [](const Place& place) { return names_of(place.commands); });
  script += function("_heddle_options", all, options_of);
  script += function("_heddle_operands", all,
                     [](const Place& place) { return fmt::format("{}", fmt::join(place.operands, " ")); });
  return script + values_functions(all) + std::string(kEngine);
}

}  // namespace heddle::command
