#include "sim/memory/tag_array.h"

#include <algorithm>

namespace heddle::sim {

TagArray::TagArray(std::uint64_t bytes, std::uint32_t line_bytes, std::uint32_t ways)
    : sets_(std::max<std::uint64_t>(1, bytes / line_bytes / ways)),
      ways_(ways),
      low_bits_(sets_ * ways),
      last_use_(sets_ * ways),
      lines_(sets_ * ways) {}

TagArray::Line* TagArray::find(std::uint64_t number) {
  const std::size_t first = first_way(number);
  for (std::size_t way = first; way < first + ways_; ++way) {
    if (low_bits_[way] != static_cast<std::uint32_t>(number)) continue;
    if (lines_[way].number != number || last_use_[way] == 0) continue;
    use(way);
    return &lines_[way];
  }
  return nullptr;
}

TagArray::Line& TagArray::insert(std::uint64_t number, std::optional<Line>& evicted) {
  const auto set = last_use_.begin() + static_cast<std::ptrdiff_t>(first_way(number));
  const auto way = static_cast<std::size_t>(std::min_element(set, set + ways_) - last_use_.begin());
  evicted.reset();
  if (last_use_[way] != 0) evicted = lines_[way];
  low_bits_[way] = static_cast<std::uint32_t>(number);
  lines_[way] = {.number = number};
  use(way);
  return lines_[way];
}

/// When the counter comes round, all uses so far become equally old.
void TagArray::use(std::size_t way) {
  if (++uses_ == 0) {
    for (std::uint32_t& used : last_use_) used = used == 0 ? 0 : 1;
    uses_ = 2;
  }
  last_use_[way] = uses_;
}

}  // namespace heddle::sim
