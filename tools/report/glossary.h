// The words of reports: what each is, what makes it so, what helps, and what Nsight Compute calls it. `heddle
// explain` shows them, docs/report.md has them as tables, and texts take their notes from here.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::report {

/// Texts may have `backticks` around what is code, as docs/report.md has it.
struct Word {
  std::string_view key;  ///< In reports; of what is in none, the word itself. Several behind commas.
  std::string_view definition;
  std::string_view cause;  ///< What makes it great, or low. Empty where it says nothing by itself.
  std::string_view cure;
  std::string_view nsight;      ///< "`sm__warps_active.sum`"; several behind commas.
  std::string_view names;       ///< Other ones, behind commas.
  std::string_view gloss = {};  ///< In a few words, beside a figure.
};

struct WordGroup {
  std::string_view key;    ///< "stalls"
  std::string_view title;  ///< "Why a warp does not issue"
  std::string_view path;   ///< Of its words in JSON: "stalls."
  std::vector<Word> words;
};

std::span<const WordGroup> glossary();

/// A word, and where it stands.
struct FoundWord {
  const WordGroup* group = nullptr;
  const Word* word = nullptr;
};

/// All that have this name: their keys, with the way to them in JSON or without, metrics of Nsight Compute
/// with their suffix or without, and other names; case, blanks, points and dashes do not matter.
std::vector<FoundWord> find_words(std::string_view name);

/// Null if there is none.
const WordGroup* find_group(std::string_view name);

/// The gloss of a word of a group: "special math and conversions"; empty if it has no such word.
std::string_view gloss_of(std::string_view group, std::string_view key);

/// Keys and names that are spelled alike, the most alike first.
std::vector<std::string> words_like(std::string_view name);

}  // namespace heddle::report
