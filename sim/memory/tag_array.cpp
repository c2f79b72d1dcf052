#include "sim/memory/tag_array.h"

#include <algorithm>

namespace heddle::sim {

TagArray::TagArray(std::uint64_t bytes, std::uint32_t line_bytes, std::uint32_t ways)
    : sets_(std::max<std::uint64_t>(1, bytes / line_bytes / ways)), ways_(ways), lines_(sets_ * ways) {}

TagArray::Line* TagArray::find(std::uint64_t number) {
  Line* set = set_of(number);
  for (std::uint32_t way = 0; way < ways_; ++way) {
    if (set[way].line == number && set[way].valid != 0) {
      set[way].last_use = ++uses_;
      return &set[way];
    }
  }
  return nullptr;
}

TagArray::Line& TagArray::insert(std::uint64_t number, std::optional<Line>& evicted) {
  Line* set = set_of(number);
  Line* victim = set;
  for (std::uint32_t way = 0; way < ways_ && victim->valid != 0; ++way) {
    if (set[way].valid == 0 || set[way].last_use < victim->last_use) victim = &set[way];
  }
  evicted.reset();
  if (victim->valid != 0) evicted = *victim;
  *victim = {};
  victim->line = number;
  victim->last_use = ++uses_;
  return *victim;
}

}  // namespace heddle::sim
