#include "tools/report/glossary.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "isa/base/edit_distance.h"
#include "isa/ir/stall_reason.h"
#include "sim/ledger/ledgers.h"

namespace heddle::report {

namespace {

// -- the table --------------------------------------------------------------------------------------

#define HEDDLE_WORD(key, definition, cause, cure, nsight, names) \
  Word{key, definition, cause, cure, nsight, names},

#define HEDDLE_WORDS(key, title, path) {key, title, path, {
#define HEDDLE_WORDS_END }},

// clang-format off
std::vector<WordGroup> tables() {
  return {
#include "tools/report/glossary/groups.def"
  };
}
// clang-format on

#undef HEDDLE_WORDS_END
#undef HEDDLE_WORDS
#undef HEDDLE_WORD

/// Short explanations that come from other tables.
constexpr std::pair<std::string_view, std::string_view> kGlosses[] = {
#define HEDDLE_LEDGER_PART(name, key, summary) {key, summary},
#include "sim/ledger/issue_slot_parts.def"
#include "sim/ledger/lane_slot_parts.def"
#include "sim/ledger/warp_slot_parts.def"
#undef HEDDLE_LEDGER_PART
#define STALL_REASON(name, key, letter, summary) {key, summary},
#include "isa/ir/stall_reasons.def"
#undef STALL_REASON
};

constexpr std::pair<std::string_view, std::string_view> kCounters[] = {
#define HEDDLE_MEMORY_COUNTER(name, summary) {#name, summary},
#include "sim/memory/memory_counters.def"
#undef HEDDLE_MEMORY_COUNTER
};

std::string_view find(std::span<const std::pair<std::string_view, std::string_view>> list,
                      std::string_view key) {
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const auto& row) { return row.first == key; });
  return found == list.end() ? std::string_view() : found->second;
}

/// "Special math and conversions" for "Special math and conversions: the transcendental unit ...".
std::string_view up_to_colon(std::string_view text) {
  const std::size_t colon = text.find(": ");
  return colon == std::string_view::npos ? std::string_view() : text.substr(0, colon);
}

std::vector<WordGroup> whole_tables() {
  std::vector<WordGroup> groups = tables();
  for (WordGroup& group : groups) {
    for (Word& word : group.words) {
      if (word.definition.empty()) word.definition = find(kCounters, word.key);
      if (group.path.starts_with("ledgers.") || group.key == "stalls") word.gloss = find(kGlosses, word.key);
      if (group.key == "pipes") word.gloss = up_to_colon(word.definition);
    }
  }
  return groups;
}

// -- names ------------------------------------------------------------------------------------------

/// "l1tex_t_requests" for "L1TEX t requests": one form for different spellings.
std::string normal(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!text.empty() && text.back() != '_' && c != '`') {
      text += '_';
    }
  }
  if (text.ends_with('_')) text.pop_back();
  return text;
}

std::vector<std::string_view> items_of(std::string_view list) {
  std::vector<std::string_view> items;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(", "), list.size());
    items.push_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 2, list.size()));
  }
  return items;
}

/// A metric without its rollup: "smsp__warps_active" for "smsp__warps_active.avg.per_cycle_active".
std::string_view without_suffix(std::string_view metric) { return metric.substr(0, metric.find('.')); }

std::set<std::string> names_of(const WordGroup& group, const Word& word) {
  std::set<std::string> names;
  for (const std::string_view key : items_of(word.key)) {
    names.insert(normal(key));
    names.insert(normal(std::string(group.path) + std::string(key)));
  }
  for (const std::string_view name : items_of(word.names)) names.insert(normal(name));
  for (const std::string_view metric : items_of(word.nsight)) names.insert(normal(metric));
  return names;
}

std::set<std::string> metrics_of(const Word& word) {
  std::set<std::string> metrics;
  for (const std::string_view metric : items_of(word.nsight)) {
    if (metric.find("__") != std::string_view::npos) metrics.insert(normal(without_suffix(metric)));
  }
  return metrics;
}

/// "long_scoreboard" for any metric that counts it: by warps, by samples, per issue.
std::string stall_in(const std::string& name) {
  constexpr std::string_view kBefore = "issue_stalled_";
  const std::size_t at = name.find(kBefore);
  if (at == std::string::npos) return {};
  std::string stall = name.substr(at + kBefore.size());
  for (const std::string_view behind : {"_per_issue_active", "_per_warp_active", "_not_issued"})
    stall = stall.substr(0, stall.find(behind));
  return stall;
}

template <typename IsIt>
std::vector<FoundWord> words_where(IsIt is_it) {
  std::vector<FoundWord> found;
  for (const WordGroup& group : glossary()) {
    for (const Word& word : group.words) {
      if (is_it(group, word)) found.push_back({&group, &word});
    }
  }
  return found;
}

std::vector<FoundWord> words_named(const std::string& name) {
  return words_where(
      [&](const WordGroup& group, const Word& word) { return names_of(group, word).contains(name); });
}

}  // namespace

std::span<const WordGroup> glossary() {
  static const std::vector<WordGroup> groups = whole_tables();
  return groups;
}

std::vector<FoundWord> find_words(std::string_view name) {
  const std::string wanted = normal(name);
  if (wanted.empty()) return {};
  std::vector<FoundWord> found = words_named(wanted);
  if (found.empty() && name.find("__") != std::string_view::npos) {
    const std::string metric = normal(without_suffix(name));
    found =
        words_where([&](const WordGroup&, const Word& word) { return metrics_of(word).contains(metric); });
  }
  if (found.empty()) found = words_named(stall_in(normal(without_suffix(name))));
  if (found.empty() && wanted.starts_with("stall_")) found = words_named(wanted.substr(6));
  return found;
}

const WordGroup* find_group(std::string_view name) {
  const std::string wanted = normal(name);
  for (const WordGroup& group : glossary()) {
    if (group.key == wanted || normal(group.title) == wanted) return &group;
  }
  return nullptr;
}

std::string_view gloss_of(std::string_view group, std::string_view key) {
  const WordGroup* found = find_group(group);
  if (found == nullptr) return {};
  for (const Word& word : found->words) {
    if (word.key == key) return word.gloss;
  }
  return {};
}

std::vector<std::string> words_like(std::string_view name) {
  const std::string wanted = normal(name);
  if (wanted.size() > kLongestCompared) return {};
  std::set<std::pair<std::size_t, std::string>> near;
  for (const WordGroup& group : glossary()) {
    for (const Word& word : group.words) {
      for (const std::string_view list : {word.key, word.names}) {
        for (const std::string_view each : items_of(list)) {
          const std::size_t distance = edit_distance(wanted, normal(each));
          if (distance <= most_slips(wanted)) near.insert({distance, std::string(each)});
        }
      }
    }
  }
  std::vector<std::string> words;
  for (const auto& [distance, word] : near) words.push_back(word);
  return words;
}

}  // namespace heddle::report
