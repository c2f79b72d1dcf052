#include "tools/diff/matching.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <string_view>
#include <unordered_map>

namespace heddle::diff {

namespace {

using Partners = std::vector<std::optional<std::size_t>>;

/// 64 MB of lengths.
constexpr std::size_t kMostCells = 16'000'000;

/// A part of both lists.
struct Part {
  std::size_t before = 0;
  std::size_t before_end = 0;
  std::size_t after = 0;
  std::size_t after_end = 0;
};

/// Pairs equal texts at both ends, and returns what is between them.
Part without_equal_ends(const std::vector<std::string>& before, const std::vector<std::string>& after,
                        Partners& found) {
  Part part{0, before.size(), 0, after.size()};
  while (part.before < part.before_end && part.after < part.after_end &&
         before[part.before] == after[part.after])
    found[part.before++] = part.after++;
  while (part.before < part.before_end && part.after < part.after_end &&
         before[part.before_end - 1] == after[part.after_end - 1])
    found[--part.before_end] = --part.after_end;
  return part;
}

void pair_subsequence(const std::vector<std::string>& before, const std::vector<std::string>& after,
                      const Part& part, Partners& found) {
  const std::size_t rows = part.before_end - part.before;
  const std::size_t columns = part.after_end - part.after;
  if (rows == 0 || columns == 0 || rows + 1 > kMostCells / (columns + 1)) return;
  // Length of the longest one of what begins at this row and this column.
  std::vector<std::uint32_t> lengths((rows + 1) * (columns + 1));
  const auto length = [&](std::size_t row, std::size_t column) -> std::uint32_t& {
    return lengths[row * (columns + 1) + column];
  };
  const auto are_equal = [&](std::size_t row, std::size_t column) {
    return before[part.before + row] == after[part.after + column];
  };
  for (std::size_t row = rows; row-- > 0;) {
    for (std::size_t column = columns; column-- > 0;)
      length(row, column) = are_equal(row, column)
                                ? length(row + 1, column + 1) + 1
                                : std::max(length(row + 1, column), length(row, column + 1));
  }
  for (std::size_t row = 0, column = 0; row < rows && column < columns;) {
    if (are_equal(row, column)) {
      found[part.before + row++] = part.after + column++;
    } else if (length(row + 1, column) >= length(row, column + 1)) {
      ++row;
    } else {
      ++column;
    }
  }
}

void pair_rest(const std::vector<std::string>& before, const std::vector<std::string>& after,
               Partners& found) {
  std::vector<bool> is_taken(after.size());
  for (const auto& partner : found)
    if (partner) is_taken[*partner] = true;
  std::unordered_map<std::string_view, std::deque<std::size_t>> free;
  for (std::size_t i = 0; i < after.size(); ++i)
    if (!is_taken[i]) free[after[i]].push_back(i);
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (found[i]) continue;
    const auto places = free.find(before[i]);
    if (places == free.end() || places->second.empty()) continue;
    found[i] = places->second.front();
    places->second.pop_front();
  }
}

}  // namespace

Partners partners(const std::vector<std::string>& before, const std::vector<std::string>& after) {
  Partners found(before.size());
  pair_subsequence(before, after, without_equal_ends(before, after, found), found);
  pair_rest(before, after, found);
  return found;
}

}  // namespace heddle::diff
