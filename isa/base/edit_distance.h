// How far two words are apart, for those who ask "did you mean".
#pragma once

#include <cstddef>
#include <string_view>

namespace heddle {

/// Letters beyond it are not looked at.
inline constexpr std::size_t kLongestCompared = 100;

/// How many letters are to be put in, left out or changed, or neighbours to be swapped, to make one of the other
/// (optimal string alignment); those of either case are the same.
std::size_t edit_distance(std::string_view one, std::string_view other);

/// Of a word's letters so many may be wrong, a third: where one is right that is a slip, more is another
/// word.
constexpr std::size_t most_slips(std::string_view word) {
  return word.size() < 2 ? 0 : (word.size() + 2) / 3;
}

}  // namespace heddle
