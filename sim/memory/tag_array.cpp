#include "sim/memory/tag_array.h"

#include <algorithm>

namespace heddle::sim {

namespace {

/// Where a row holds a value. Whole rows without a way out: compilers make vectors of them.
struct Places {
  std::uint16_t count = 0;
  std::uint16_t place = 0;  // of the only one
};

Places places_of(const std::uint16_t* row, std::uint32_t size, std::uint16_t value) {
  Places found;
  for (std::uint32_t i = 0; i < size; ++i) {
    const bool is_here = row[i] == value;
    found.count = static_cast<std::uint16_t>(found.count + (is_here ? 1 : 0));
    found.place = static_cast<std::uint16_t>(found.place | (is_here ? i : 0));
  }
  return found;
}

}  // namespace

TagArray::TagArray(std::uint64_t bytes, std::uint32_t line_bytes, std::uint32_t ways, std::uint32_t draws)
    : sets_(std::max<std::uint64_t>(1, bytes / line_bytes / ways)),
      ways_(ways),
      draws_(draws),
      tags_(sets() * ways),
      ages_(sets() * ways),
      lines_(sets() * ways) {
  for (std::size_t way = 0; way < ages_.size(); ++way)
    ages_[way] = static_cast<std::uint16_t>(ways - 1 - way % ways);
}

TagArray::Place TagArray::place_of(std::uint64_t number) const {
  const std::uint64_t tag = sets_.quotient(number);
  return {(number - tag * sets()) * ways_, static_cast<std::uint16_t>(tag)};
}

TagArray::Line* TagArray::find(std::uint64_t number) {
  const auto [first, tag] = place_of(number);
  const Places found = places_of(&tags_[first], ways_, tag);
  if (found.count == 0) return nullptr;
  std::size_t way = first + found.place;
  if (found.count > 1) {
    way = first;
    while (way + 1 < first + ways_ && lines_[way].number != number) ++way;
  }
  if (lines_[way].number != number) return nullptr;
  use(first, way);
  return &lines_[way];
}

/// Of the set that begins at way `first`, the way that was used longest ago, or never.
std::size_t TagArray::oldest(std::size_t first) const {
  return first + places_of(&ages_[first], ways_, static_cast<std::uint16_t>(ways_ - 1)).place;
}

/// Of the set that begins at way `first`, the way for a new line: one that was never used, or that whose line
/// gives way.
std::size_t TagArray::choose_way(std::size_t first) {
  const std::size_t last = oldest(first);
  if (draws_ == 0 || lines_[last].number == kNone) return last;
  std::size_t way = first;
  for (std::uint32_t i = 0; i < draws_; ++i) {
    random_ = random_ * 6364136223846793005U + 1442695040888963407U;  // Knuth's MMIX
    const std::size_t drawn = first + ((random_ >> 32) * ways_ >> 32);
    if (i == 0 || ages_[drawn] > ages_[way]) way = drawn;
  }
  return way;
}

TagArray::Line& TagArray::insert(std::uint64_t number, std::optional<Line>& evicted) {
  const auto [first, tag] = place_of(number);
  const std::size_t way = choose_way(first);
  Line& line = lines_[way];
  evicted.reset();
  if (line.dirty != 0) evicted = line;
  tags_[way] = tag;
  line = {.number = number, .filled_at = line.filled_at};
  use(first, way);
  return line;
}

void TagArray::announce(std::uint64_t number, Reach reach) const {
  const auto [first, tag] = place_of(number);
  const std::uint16_t* row = &tags_[first];
  if (reach == Reach::Itself) {
    prefetch(row, ways_ * sizeof(std::uint16_t));
    return prefetch(&ages_[first], ways_ * sizeof(std::uint16_t));
  }
  const Places held = places_of(row, ways_, tag);
  const std::size_t way = held.count == 1 ? first + held.place : oldest(first);
  prefetch(&lines_[way], sizeof(Line));
}

/// The way is the youngest of its set, and those that were younger are older by one.
void TagArray::use(std::size_t first, std::size_t way) {
  const std::uint16_t age = ages_[way];
  std::uint16_t* ages = &ages_[first];
  for (std::uint32_t i = 0; i < ways_; ++i)
    ages[i] = static_cast<std::uint16_t>(ages[i] + (ages[i] < age ? 1 : 0));
  ages_[way] = 0;
}

}  // namespace heddle::sim
