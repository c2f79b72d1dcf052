#include "isa/base/edit_distance.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace heddle {

namespace {

char lowered(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

std::size_t edit_distance(std::string_view one, std::string_view other) {
  one = one.substr(0, kLongestCompared);
  other = other.substr(0, kLongestCompared);
  std::array<std::size_t, kLongestCompared + 1> row{};
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < one.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < other.size(); ++j) {
      const std::size_t replaced = diagonal + (lowered(one[i]) != lowered(other[j]) ? 1 : 0);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row[other.size()];
}

}  // namespace heddle
