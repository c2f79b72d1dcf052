// Sorts lists of small numbers: places of webs and of members, of which lists of neighbours are long.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::lower {

/// Makes lists of numbers below a bound ascending, and each number single. Takes time in proportion to the
/// list and to a 64th of the numbers between its least and its greatest.
class NumberSorter {
 public:
  explicit NumberSorter(std::size_t bound) : words_((bound + kBits - 1) / kBits) {}

  void sort(std::vector<std::uint32_t>& list) {
    if (list.size() < 2) return;
    std::size_t first = words_.size();
    std::size_t last = 0;
    for (const std::uint32_t number : list) {
      const std::size_t word = number / kBits;
      words_[word] |= std::uint64_t{1} << number % kBits;
      first = std::min(first, word);
      last = std::max(last, word);
    }
    list.clear();
    for (std::size_t word = first; word <= last; ++word) {
      for (std::uint64_t bits = words_[word]; bits != 0; bits &= bits - 1)
        list.push_back(static_cast<std::uint32_t>(word * kBits) +
                       static_cast<std::uint32_t>(std::countr_zero(bits)));
      words_[word] = 0;
    }
  }

 private:
  static constexpr std::size_t kBits = 64;
  std::vector<std::uint64_t> words_;  // a bit for each number, all zero between calls
};

}  // namespace heddle::lower
