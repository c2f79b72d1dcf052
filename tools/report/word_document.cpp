#include "tools/report/word_document.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/report/words.h"

namespace heddle::report {

namespace {

std::string plain(std::string_view text) {
  std::string result(text);
  std::erase(result, '`');
  return result;
}

/// "stalls.long_scoreboard"; empty for a word that no report has.
std::string places_of(const FoundWord& found) {
  if (found.group->key == "terms") return {};
  std::string places;
  std::string_view keys = found.word->key;
  while (!keys.empty()) {
    const std::size_t end = std::min(keys.find(", "), keys.size());
    places += fmt::format("{}{}{}", places.empty() ? "" : ", ", found.group->path, keys.substr(0, end));
    keys.remove_prefix(std::min(end + 2, keys.size()));
  }
  // A lost slot is charged to what the warp that issues next waits for.
  if (found.group->key == "stalls" && found.word->key != "not_selected")
    places += fmt::format(", ledgers.issue_slots.{}", found.word->key);
  return places;
}

std::string definition_of(const FoundWord& found) {
  const Word& word = *found.word;
  const bool is_wait = found.group->key == "stalls" && word.key != "not_selected";
  return is_wait ? fmt::format("The warp waits for {}. {}", word.gloss, plain(word.definition))
                 : plain(word.definition);
}

std::string short_text(const Word& word) {
  if (!word.gloss.empty()) return std::string(word.gloss);
  const std::string text = plain(word.definition);
  const std::size_t end = std::min({text.find(". "), text.find(": "), text.find("; "), text.size()});
  return text.substr(0, end);
}

}  // namespace

Document word_document(const FoundWord& found) {
  const Word& word = *found.word;
  Document document;
  document.items.emplace_back(Line{{key_text(word.key), std::string(found.group->title)}, true});
  const auto add = [&document](std::string label, std::string text) {
    if (!text.empty()) document.items.emplace_back(Statement{std::move(label), std::move(text), Tone::Plain});
  };
  add("What it is:", definition_of(found));
  add("Cause:", plain(word.cause));
  add("Cure:", plain(word.cure));
  add("In reports:", places_of(found));
  add("Nsight Compute:", plain(word.nsight));
  add("Other names:", std::string(word.names));
  return document;
}

Document group_document(const WordGroup& group) {
  Document document;
  document.items.emplace_back(Line{{std::string(group.title)}, true});
  Table table{{"word", "what it is"}, {}};
  table.ends_in_text = true;
  for (const Word& word : group.words) table.rows.push_back({std::string(word.key), short_text(word)});
  document.items.emplace_back(std::move(table));
  return document;
}

Document glossary_document() {
  Document document;
  for (const WordGroup& group : glossary()) {
    std::string words;
    for (const Word& word : group.words) words += fmt::format("{}{}", words.empty() ? "" : ", ", word.key);
    document.items.emplace_back(Statement{fmt::format("{} ({}):", group.title, group.key), words});
  }
  return document;
}

}  // namespace heddle::report
