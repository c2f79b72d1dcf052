#include "isa/base/edit_distance.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace heddle {

namespace {

char lowered(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

std::size_t edit_distance(std::string_view one, std::string_view other) {
  one = one.substr(0, kLongestCompared);
  other = other.substr(0, kLongestCompared);
  using Row = std::array<std::size_t, kLongestCompared + 1>;
  Row before{};  // two letters of `one` back
  Row last{};
  Row row{};
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < one.size(); ++i) {
    before = std::exchange(last, row);
    row[0] = i + 1;
    for (std::size_t j = 0; j < other.size(); ++j) {
      const std::size_t replaced = last[j] + (lowered(one[i]) != lowered(other[j]) ? 1 : 0);
      row[j + 1] = std::min({replaced, row[j] + 1, last[j + 1] + 1});
      const bool is_swapped = i > 0 && j > 0 && lowered(one[i]) == lowered(other[j - 1]) &&
                              lowered(one[i - 1]) == lowered(other[j]);
      if (is_swapped) row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
    }
  }
  return row[other.size()];
}

}  // namespace heddle
