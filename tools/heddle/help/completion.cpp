#include "tools/heddle/help/completion.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace heddle::command {

namespace {

struct Meaning {
  std::string_view word;
  std::string_view kind;
};

/// Placeholders in the help, and the kinds of words that replace them.
constexpr std::array<Meaning, 5> kPlaceholders = {{{"GPU", "@gpus"},
                                                   {"DIR", "@folders"},
                                                   {"POLICY", "@policies"},
                                                   {"EXAMPLE", "@examples"},
                                                   {"KEY=VALUE", "@keys"}}};

/// Names of the commands' operands.
constexpr std::array<Meaning, 7> kOperands = {{{"launch", "@examples @files"},
                                               {"trace", "@files"},
                                               {"file", "@files"},
                                               {"suite", "@files"},
                                               {"gpu", "@gpus @files"},
                                               {"example", "@examples"},
                                               {"command", "@commands"}}};

bool is_word(std::string_view part) {
  return !part.empty() && part != "-" &&
         std::none_of(part.begin(), part.end(), [](unsigned char c) { return std::isupper(c) != 0; });
}

/// "FILE", "FILE.npy", "REPORT.csv", also after a name: "BUFFER=FILE.npy".
bool is_file(std::string_view part) {
  return part.find("FILE") != std::string_view::npos ||
         (part.find('.') != std::string_view::npos && part != "X.Y" &&
          part.find(',') == std::string_view::npos);
}

void add_part(std::string_view part, Candidates& candidates) {
  const auto found = std::find_if(kPlaceholders.begin(), kPlaceholders.end(),
                                  [&](const Meaning& known) { return known.word == part; });
  if (found != kPlaceholders.end()) return candidates.emplace_back(found->kind), void();
  if (is_word(part)) return candidates.emplace_back(part), void();
  if (is_file(part)) candidates.emplace_back("@files");
}

void add_places(const std::string& above, std::span<const Command> table, std::vector<Place>& all);

Place place_of(std::string path, const Syntax& syntax, std::span<const Command> own) {
  Place place{std::move(path), {}, option_rows(syntax), candidates_of_operands(syntax)};
  for (const Command& command : own) place.commands.emplace_back(command.name, command.summary);
  return place;
}

void add_places(const std::string& above, std::span<const Command> table, std::vector<Place>& all) {
  for (const Command& command : table) {
    const auto own = command.commands == nullptr ? std::span<const Command>() : command.commands();
    const std::string path = fmt::format("{}{}{}", above, above.empty() ? "" : " ", command.name);
    all.push_back(place_of(path, command.syntax(), own));
    add_places(path, own, all);
  }
}

}  // namespace

Candidates candidates_of_value(std::string_view shown) {
  Candidates candidates;
  for (bool goes_on = true; goes_on;) {
    const std::size_t bar = shown.find('|');
    goes_on = bar != std::string_view::npos;
    add_part(shown.substr(0, bar), candidates);
    shown.remove_prefix(goes_on ? bar + 1 : shown.size());
  }
  return candidates;
}

Candidates candidates_of_operands(const Syntax& syntax) {
  Candidates candidates = syntax.words;
  for (const Meaning& known : kOperands) {
    if (known.word != syntax.operands) continue;
    for (std::string_view kinds = known.kind; !kinds.empty();) {
      const std::size_t space = std::min(kinds.find(' '), kinds.size());
      candidates.emplace_back(kinds.substr(0, space));
      kinds.remove_prefix(std::min(space + 1, kinds.size()));
    }
  }
  return candidates;
}

std::vector<Place> places(const Program& program) {
  std::vector<Place> all = {place_of("", program.syntax, program.commands)};
  add_places("", program.commands, all);
  return all;
}

}  // namespace heddle::command
