// The similarity of two words, for "did you mean" messages.
#pragma once

#include <cstddef>
#include <string_view>

namespace heddle {

/// Letters behind this position are ignored.
inline constexpr std::size_t kLongestCompared = 100;

/// The number of letters to insert, delete or change, or of neighbours to swap, that makes one word the other
/// (optimal string alignment). Upper and lower case are equal.
std::size_t edit_distance(std::string_view one, std::string_view other);

/// The number of wrong letters with which a word still counts as mistyped: a third of its letters. With more
/// it counts as another word.
constexpr std::size_t most_slips(std::string_view word) {
  return word.size() < 2 ? 0 : (word.size() + 2) / 3;
}

}  // namespace heddle
