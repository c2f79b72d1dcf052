// The words of reports: meaning, causes, cures, and Nsight Compute's names. `heddle explain` shows them,
// docs/report.md has them as tables, and reports take their notes from here.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::report {

/// A word of the glossary. In its texts, code stands in `backticks`, as in docs/report.md.
struct Word {
  /// The key in reports, or the word itself if no report has it. Several are separated by commas.
  std::string_view key;
  std::string_view definition;
  std::string_view cause;  ///< What makes it high or low; empty if that does not apply.
  std::string_view cure;
  std::string_view nsight;      ///< "`sm__warps_active.sum`"; several are separated by commas.
  std::string_view names;       ///< Other names, separated by commas.
  std::string_view gloss = {};  ///< A few words that stand beside a figure.
};

/// A group of words.
struct WordGroup {
  std::string_view key;    ///< "stalls"
  std::string_view title;  ///< "Why a warp does not issue"
  std::string_view path;   ///< Path of its words in JSON: "stalls."
  std::vector<Word> words;
};

std::span<const WordGroup> glossary();

/// A word and its group.
struct FoundWord {
  const WordGroup* group = nullptr;
  const Word* word = nullptr;
};

/// All words with this name. Accepted are keys, with or without their path in JSON, metrics of Nsight
/// Compute, with or without suffix, and other names. Case, blanks, points and dashes are ignored.
std::vector<FoundWord> find_words(std::string_view name);

/// Null if there is none.
const WordGroup* find_group(std::string_view name);

/// The gloss of a word in a group: "special math and conversions"; empty if there is no such word.
std::string_view gloss_of(std::string_view group, std::string_view key);

/// Keys and names that are spelled similarly, most similar first.
std::vector<std::string> words_like(std::string_view name);

}  // namespace heddle::report
