#include "sim/memory/tag_array.h"

#include <algorithm>
#include <bit>

#include "hwy/highway.h"

namespace heddle::sim {

namespace hn = hwy::HWY_NAMESPACE;  // for any processor that the program runs on

namespace {

using Row = const std::uint16_t*;
const hn::Full128<std::uint16_t> kStep;
constexpr std::uint32_t kWaysOfStep = 8;
constexpr std::uint32_t kWaysOfWord = 64;

/// Bit i: way i of the row has the value. At most kWaysOfWord ways, in whole steps.
std::uint64_t ways_with(std::uint16_t value, Row row, std::uint32_t ways) {
  const auto wanted = hn::Set(kStep, value);
  std::uint64_t found = 0;
  for (std::uint32_t way = 0; way < ways; way += kWaysOfStep) {
    std::uint8_t bits = 0;
    hn::StoreMaskBits(kStep, hn::Eq(hn::LoadU(kStep, row + way), wanted), &bits);
    found |= std::uint64_t{bits} << way;
  }
  return found;
}

/// The first way of the row that has the value and that `accept` takes; `ways` if none is.
template <typename Accept>
std::uint32_t first_way_with(std::uint16_t value, Row row, std::uint32_t ways, Accept accept) {
  for (std::uint32_t begin = 0; begin < ways; begin += kWaysOfWord) {
    std::uint64_t found = ways_with(value, row + begin, std::min(kWaysOfWord, ways - begin));
    for (; found != 0; found &= found - 1) {
      const std::uint32_t way = begin + static_cast<std::uint32_t>(std::countr_zero(found));
      if (accept(way)) return way;
    }
  }
  return ways;
}

constexpr auto kAny = [](std::uint32_t) { return true; };

}  // namespace

TagArray::TagArray(std::uint64_t bytes, std::uint32_t line_bytes, std::uint32_t ways, std::uint32_t draws)
    : sets_(std::max<std::uint64_t>(1, bytes / line_bytes / ways)),
      ways_(ways),
      stride_(static_cast<std::uint32_t>(round_up(ways, kWaysOfStep))),
      draws_(draws),
      unused_(sets() * ways),
      tags_(sets() * stride_),
      ages_(sets() * stride_, kNoAge),
      lines_(sets() * stride_) {
  for (std::size_t first = 0; first < ages_.size(); first += stride_) {
    for (std::uint32_t way = 0; way < ways; ++way)
      ages_[first + way] = static_cast<std::uint16_t>(ways - 1 - way);
  }
}

TagArray::Place TagArray::place_of(std::uint64_t number) const {
  const std::uint64_t tag = sets_.quotient(number);
  return {(number - tag * sets()) * stride_, static_cast<std::uint16_t>(tag)};
}

/// Where in its set the line is; stride_ if it is not there.
inline std::size_t TagArray::way_of(std::uint64_t number, const Place& place) const {
  const Line* lines = &lines_[place.first];
  return first_way_with(place.tag, &tags_[place.first], stride_,
                        [=](std::uint32_t one) { return lines[one].number == number; });
}

TagArray::Line* TagArray::find(std::uint64_t number) {
  const Place place = place_of(number);
  const std::size_t way = way_of(number, place);
  if (way == stride_) return nullptr;
  use(place.first, place.first + way);
  return &lines_[place.first + way];
}

TagArray::Line* TagArray::look_at(std::uint64_t number) {
  const Place place = place_of(number);
  const std::size_t way = way_of(number, place);
  return way == stride_ ? nullptr : &lines_[place.first + way];
}

/// The way of a set that was used longest ago, or never. The set begins at way `first`.
std::size_t TagArray::oldest(std::size_t first) const {
  return first + first_way_with(static_cast<std::uint16_t>(ways_ - 1), &ages_[first], stride_, kAny);
}

/// The way of a set for a new line: one that was never used, or that of the victim. The set begins at way
/// `first`.
std::size_t TagArray::choose_way(std::size_t first) {
  if (policy_.held != nullptr) [[unlikely]]
    return ask_policy(first);
  if (draws_ == 0) return oldest(first);
  if (unused_ != 0) {
    const std::size_t last = oldest(first);
    if (lines_[last].number == kNone) {
      --unused_;
      return last;
    }
  }
  std::size_t way = first;
  for (std::uint32_t i = 0; i < draws_; ++i) {
    random_ = random_ * 6364136223846793005U + 1442695040888963407U;  // Knuth's MMIX
    const std::size_t drawn = first + ((random_ >> 32) * ways_ >> 32);
    if (i == 0 || ages_[drawn] > ages_[way]) way = drawn;
  }
  return way;
}

/// The first way without a line, or that of the policy.
[[gnu::noinline]] std::size_t TagArray::ask_policy(std::size_t first) {
  if (unused_ != 0) {
    for (std::size_t way = first; way < first + ways_; ++way) {
      if (lines_[way].number != kNone) continue;
      --unused_;
      return way;
    }
  }
  return first + policy_.held->victim(first / stride_);
}

TagArray::Line& TagArray::insert(std::uint64_t number, std::optional<Line>& evicted) {
  const Place place = place_of(number);
  const std::size_t way = choose_way(place.first);
  evicted.reset();
  if (lines_[way].dirty != 0) evicted = lines_[way];
  return put(number, 0, place, way);
}

TagArray::Line& TagArray::insert(std::uint64_t number, std::uint32_t sectors) {
  const Place place = place_of(number);
  return put(number, sectors, place, choose_way(place.first));
}

TagArray::Line& TagArray::put(std::uint64_t number, std::uint32_t sectors, const Place& place,
                              std::size_t way) {
  Line& line = lines_[way];
  line.number = number;
  line.valid = sectors;
  line.dirty = 0;
  tags_[way] = place.tag;
  if (policy_.held != nullptr) [[unlikely]] {
    policy_.held->filled(place.first / stride_, static_cast<std::uint32_t>(way - place.first));
  } else {
    use(place.first, way);
  }
  return line;
}

void TagArray::host_prefetch(std::uint64_t number, PrefetchStep step) const {
  const auto [first, tag] = place_of(number);
  const std::size_t row_bytes = ways_ * sizeof(std::uint16_t);
  if (step == PrefetchStep::Object) {
    prefetch_bytes(&tags_[first], row_bytes);
    return prefetch_bytes(&ages_[first], row_bytes);
  }
  const std::uint32_t held = first_way_with(tag, &tags_[first], stride_, kAny);
  if (held == stride_ && (draws_ != 0 || policy_.held != nullptr) && unused_ == 0) return;
  prefetch_bytes(&lines_[held != stride_ ? first + held : oldest(first)], sizeof(Line));
}

/// The way is the youngest of its set, and those that were younger are older by one.
void TagArray::use(std::size_t first, std::size_t way) {
  if (policy_.held != nullptr) [[unlikely]]
    return policy_.held->used(first / stride_, static_cast<std::uint32_t>(way - first));
  std::uint16_t* ages = &ages_[first];
  const auto age = hn::Set(kStep, ages_[way]);
  for (std::uint32_t i = 0; i < stride_; i += kWaysOfStep) {
    const auto old = hn::LoadU(kStep, ages + i);
    // What is true counts as -1.
    hn::StoreU(hn::Sub(old, hn::VecFromMask(kStep, hn::Lt(old, age))), kStep, ages + i);
  }
  ages_[way] = 0;
}

}  // namespace heddle::sim
