#include "sim/config/suggest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

namespace heddle::sim {

namespace {

/// Levenshtein: how many letters are to be put in, left out or changed.
std::size_t edit_distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t changed = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string suggestion(std::string_view word, const std::vector<std::string>& known) {
  // A third of the letters wrong is a slip; more is another word. Names are short, whatever the word is.
  constexpr std::size_t kLongestName = 100;
  std::string_view nearest;
  std::size_t least = (std::min(word.size(), kLongestName) + 2) / 3 + 1;
  for (const std::string& name : known) {
    if (word.size() > kLongestName) break;
    const std::size_t distance = edit_distance(word, name);
    if (distance >= least) continue;
    least = distance;
    nearest = name;
  }
  if (!nearest.empty()) return fmt::format("did you mean '{}'?", nearest);
  if (known.empty()) return "none is known here";
  return fmt::format("known are '{}'", fmt::join(known, "', '"));
}

}  // namespace heddle::sim
