#include "sim/memory/tag_array.h"

#include <algorithm>

namespace heddle::sim {

TagArray::TagArray(std::uint64_t bytes, std::uint32_t line_bytes, std::uint32_t ways)
    : sets_(std::max<std::uint64_t>(1, bytes / line_bytes / ways)),
      ways_(ways),
      low_bits_(sets() * ways),
      last_use_(sets() * ways),
      lines_(sets() * ways) {}

namespace {

// Whole rows without a way out: compilers make vectors of them.
bool holds(const std::uint32_t* row, std::uint32_t size, std::uint32_t value) {
  std::uint32_t equal = 0;
  for (std::uint32_t i = 0; i < size; ++i) equal += row[i] == value;
  return equal != 0;
}

std::uint32_t least(const std::uint32_t* row, std::uint32_t size) {
  std::uint32_t least = row[0];
  for (std::uint32_t i = 1; i < size; ++i) least = std::min(least, row[i]);
  return least;
}

}  // namespace

TagArray::Line* TagArray::find(std::uint64_t number) {
  const std::size_t first = first_way(number);
  if (!holds(&low_bits_[first], ways_, static_cast<std::uint32_t>(number))) return nullptr;
  for (std::size_t way = first; way < first + ways_; ++way) {
    if (low_bits_[way] != static_cast<std::uint32_t>(number)) continue;
    if (lines_[way].number != number || last_use_[way] == 0) continue;
    use(way);
    return &lines_[way];
  }
  return nullptr;
}

/// Of the set that begins at way `first`, the way that was used longest ago, or never.
std::size_t TagArray::oldest(std::size_t first) const {
  const std::uint32_t least_use = least(&last_use_[first], ways_);
  std::size_t way = first;
  while (last_use_[way] != least_use) ++way;
  return way;
}

TagArray::Line& TagArray::insert(std::uint64_t number, std::optional<Line>& evicted) {
  const std::size_t way = oldest(first_way(number));
  evicted.reset();
  if ((last_use_[way] & kDirty) != 0) evicted = lines_[way];
  last_use_[way] = 0;
  low_bits_[way] = static_cast<std::uint32_t>(number);
  lines_[way] = {.number = number, .filled_at = lines_[way].filled_at};
  use(way);
  return lines_[way];
}

void TagArray::announce(std::uint64_t number, Reach reach) const {
  const std::size_t first = first_way(number);
  const std::uint32_t* row = &low_bits_[first];
  if (reach == Reach::Itself) {
    prefetch(row, ways_ * sizeof(std::uint32_t));
    return prefetch(&last_use_[first], ways_ * sizeof(std::uint32_t));
  }
  const auto low = static_cast<std::uint32_t>(number);
  const bool is_held = holds(row, ways_, low);
  const std::size_t way =
      is_held ? first + static_cast<std::size_t>(std::find(row, row + ways_, low) - row) : oldest(first);
  prefetch(&lines_[way], sizeof(Line));
}

/// When the counter comes round, all uses so far become equally old.
void TagArray::use(std::size_t way) {
  if ((uses_ += kOneUse) == 0) {
    for (std::uint32_t& used : last_use_) used = used == 0 ? 0 : kOneUse | (used & kDirty);
    uses_ = 2 * kOneUse;
  }
  last_use_[way] = uses_ | (last_use_[way] & kDirty);
}

}  // namespace heddle::sim
