#include "isa/exec/lane_places.h"

#include <algorithm>
#include <cstring>

// Compiles this file once for each vector target, then picks one at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "isa/exec/lane_places.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "isa/exec/semantics.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using U32 = std::uint32_t;
using Words = hn::CappedTag<U32, kLaneGroup>;
using Wide = hn::CappedTag<Addr, kLaneGroup / 2>;
using Row = hn::Vec<Words>;

/// The lanes of a row that take part, a vector at a time.
class Taking {
 public:
  Taking(LaneMask mask, unsigned lanes) : mask_(mask), whole_(mask == first_lanes(lanes)) {}

  /// Lanes that do not take part are as if they had `neutral`.
  HWY_INLINE Row only(Row row, unsigned at, Row neutral) const {
    if (HWY_LIKELY(whole_)) return row;
    const Addr bits = mask_ >> at;
    return hn::IfThenElse(hn::LoadMaskBits(Words(), reinterpret_cast<const std::uint8_t*>(&bits)), row,
                          neutral);
  }

 private:
  LaneMask mask_;
  bool whole_;
};

/// What is to know of words of 32 bits that are addresses, or the low halves of some.
struct WordSpan {
  U32 least;
  U32 greatest;
  bool aligned;
  bool steps;  // each lane's is `bytes` above the one's before it, modulo 2^32
};

WordSpan look(const U32* row, U32 offset, LaneMask mask, unsigned bytes, unsigned lanes) {
  const Words tag;
  const Taking taking(mask, lanes);
  const unsigned first = first_lane(mask);
  const auto shift = hn::Set(tag, offset);
  const auto origin = hn::Set(tag, row[first] + offset);
  const auto pace = hn::Set(tag, static_cast<U32>(hn::Lanes(tag)) * bytes);
  auto expected =
      hn::Add(hn::Sub(origin, hn::Set(tag, first * bytes)), hn::Mul(hn::Iota(tag, 0), hn::Set(tag, bytes)));
  auto least = origin;
  auto greatest = origin;
  auto bits = origin;
  auto strays = hn::Zero(tag);
  for (unsigned i = 0; i < lanes; i += static_cast<unsigned>(hn::Lanes(tag))) {
    const auto here = hn::Add(hn::LoadU(tag, row + i), shift);
    const auto words = taking.only(here, i, origin);
    least = hn::Min(least, words);
    greatest = hn::Max(greatest, words);
    bits = hn::Or(bits, words);
    strays = hn::Or(strays, hn::Xor(taking.only(here, i, expected), expected));
    expected = hn::Add(expected, pace);
  }
  const bool are_neighbours = mask >> first == first_lanes(lane_count(mask));
  const auto odd = hn::And(bits, hn::Set(tag, bytes - 1));
  return {hn::GetLane(hn::MinOfLanes(tag, least)), hn::GetLane(hn::MaxOfLanes(tag, greatest)),
          hn::AllTrue(tag, hn::Eq(odd, hn::Zero(tag))),
          are_neighbours && hn::AllTrue(tag, hn::Eq(strays, hn::Zero(tag)))};
}

/// What place_near() finds out of rows that it has not met.
LanePlaces look_near(const U32* row, U32 offset, LaneMask mask, unsigned bytes, unsigned lanes) {
  const WordSpan words = look(row, offset, mask, bytes, lanes);
  // Where steps pass 2^32, the last lane is not the greatest.
  const Addr way = Addr{lane_count(mask) - 1} * bytes;
  const bool consecutive =
      words.steps && words.greatest - words.least == way && row[first_lane(mask)] + offset == words.least;
  return {{words.least, words.greatest, consecutive}, words.aligned};
}

/// Writes the places; says whether all words of the row are at these distances from `origin`.
bool write_near(const U32* row, U32 offset, unsigned lanes, Addr* places, U32 origin, const U32* distances) {
  const Words tag;
  const Wide wide;
  const hn::Half<Words> half;
  const auto shift = hn::Set(tag, offset);
  const auto from = hn::Set(tag, origin);
  auto strays = hn::Zero(tag);
  for (unsigned i = 0; i < lanes; i += static_cast<unsigned>(hn::Lanes(tag))) {
    const auto words = hn::LoadU(tag, row + i);
    const auto here = hn::Add(words, shift);
    hn::StoreU(hn::PromoteTo(wide, hn::LowerHalf(half, here)), wide, places + i);
    hn::StoreU(hn::PromoteTo(wide, hn::UpperHalf(half, here)), wide, places + i + hn::Lanes(wide));
    strays = hn::Or(strays, hn::Xor(hn::Sub(words, from), hn::Load(tag, distances + i)));
  }
  return hn::AllTrue(tag, hn::Eq(strays, hn::Zero(tag)));
}

LaneStrips strips_of(const LaneShape& shape) {
  LaneStrips strips;
  LaneStrip* strip = nullptr;
  for (LaneMask rest = shape.mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = first_lane(rest);
    if (strip != nullptr && lane == strip->first + strip->count) {
      const U32 step = shape.distances[lane] - shape.distances[lane - 1];
      if (strip->count == 1 && step == shape.bytes) strip->step = step;
      if (step == strip->step) {
        ++strip->count;
        continue;
      }
    }
    if (strips.count == LaneStrips::kMost) return {};
    strip = &strips.list[strips.count++];
    *strip = {lane, 1, shape.distances[lane], 0};
  }
  return strips;
}

/// Words of several rows would have to change places, as gather() lets them, unless all lanes have the same.
bool can_spread(const LaneShape& shape) {
  const auto first = shape.strips.list.begin();
  const bool are_of_one_place =
      std::all_of(first, first + shape.strips.count, [](const LaneStrip& strip) { return strip.step == 0; });
  return shape.strips.count != 0 && shape.bytes >= 4 && (shape.bytes == 4 || are_of_one_place);
}

/// The row, whose places are aligned and have this span, becomes the shape.
void remember(LaneShape& shape, const U32* row, LaneMask mask, unsigned bytes, unsigned lanes,
              const LaneSpan& span, U32 first_place) {
  shape.number += kLaneShapes;
  shape.mask = mask;
  shape.bytes = bytes;
  shape.consecutive = span.consecutive;
  shape.before = first_place - static_cast<U32>(span.least);
  shape.behind = static_cast<U32>(span.greatest) - first_place;
  const U32 origin = row[first_lane(mask)];
  for (unsigned i = 0; i < lanes; ++i) shape.distances[i] = row[i] - origin;
  shape.strips = strips_of(shape);
  shape.loads_by_strips = can_spread(shape);
}

LanePlaces near_places(const U32* row, U32 offset, LaneMask mask, unsigned bytes, unsigned lanes,
                       Addr* places, LaneShape& shape) {
  const U32 origin = row[first_lane(mask)];
  const bool is_shape = write_near(row, offset, lanes, places, origin, shape.distances.data());
  const U32 first = origin + offset;
  const bool fits = first >= shape.before && first <= ~U32{0} - shape.behind && (first & (bytes - 1)) == 0;
  if (HWY_LIKELY(is_shape && fits && mask == shape.mask && bytes == shape.bytes)) {
    return {{first - shape.before, first + shape.behind, shape.consecutive}, true, shape.number};
  }
  LanePlaces found = look_near(row, offset, mask, bytes, lanes);
  if (!found.aligned) return found;
  remember(shape, row, mask, bytes, lanes, found.span, first);
  found.shape = shape.number;
  return found;
}

/// Whether all lanes that take part have the same word.
bool are_equal(const U32* row, LaneMask mask, unsigned lanes) {
  const Words tag;
  const Taking taking(mask, lanes);
  const auto first = hn::Set(tag, row[first_lane(mask)]);
  auto strays = hn::Zero(tag);
  for (unsigned i = 0; i < lanes; i += static_cast<unsigned>(hn::Lanes(tag))) {
    strays = hn::Or(strays, hn::Xor(taking.only(hn::LoadU(tag, row + i), i, first), first));
  }
  return hn::AllTrue(tag, hn::Eq(strays, hn::Zero(tag)));
}

/// Place by place.
LanePlaces look_at_each(const Addr* places, LaneMask mask, unsigned bytes) {
  Addr bits = 0;
  for_each_lane(mask, [&](unsigned lane) { bits |= places[lane]; });
  return {span_of(places, mask, bytes), (bits & (bytes - 1)) == 0};
}

LanePlaces far_places(const U32* low, Addr offset, LaneMask mask, unsigned bytes, unsigned lanes,
                      Addr* places) {
  const U32* high = low + lanes;
  const Wide wide;
  const hn::Rebind<U32, Wide> narrow;
  const auto shift = hn::Set(wide, offset);
  for (unsigned i = 0; i < lanes; i += static_cast<unsigned>(hn::Lanes(wide))) {
    const auto low_words = hn::PromoteTo(wide, hn::LoadU(narrow, low + i));
    const auto high_words = hn::ShiftLeft<32>(hn::PromoteTo(wide, hn::LoadU(narrow, high + i)));
    hn::StoreU(hn::Add(hn::Or(high_words, low_words), shift), wide, places + i);
  }
  if (!are_equal(high, mask, lanes)) return look_at_each(places, mask, bytes);
  const WordSpan words = look(low, 0, mask, bytes, lanes);
  const Addr origin = (Addr{high[first_lane(mask)]} << 32) + offset;
  const Addr least = origin + words.least;
  const Addr greatest = origin + words.greatest;
  if (greatest < least) return look_at_each(places, mask, bytes);  // some sums have wrapped
  const Addr way = Addr{lane_count(mask) - 1} * bytes;
  const bool consecutive = words.steps && greatest - least == way && low[first_lane(mask)] == words.least;
  // Unaligned low words and an unaligned offset can add up to aligned addresses.
  const bool aligned =
      words.aligned ? (offset & (bytes - 1)) == 0 : look_at_each(places, mask, bytes).aligned;
  return {{least, greatest, consecutive}, aligned};
}

/// So many lanes of a row have this word.
HWY_INLINE void fill_lanes(U32* row, unsigned count, U32 word) {
  const Words tag;
  const auto all = hn::Set(tag, word);
  const auto step = static_cast<unsigned>(hn::Lanes(tag));
  unsigned lane = 0;
  for (; lane + step <= count; lane += step) hn::StoreU(all, tag, row + lane);
  for (; lane < count; ++lane) row[lane] = word;
}

void spread_strips(U32* rows, const std::byte* window, U32 first, const LaneShape& shape, unsigned lanes) {
  for (unsigned i = 0; i < shape.strips.count; ++i) {
    const LaneStrip& strip = shape.strips.list[i];
    const std::byte* from = window + static_cast<U32>(first + strip.distance);
    if (strip.step != 0) {
      std::memcpy(rows + strip.first, from, std::size_t{4} * strip.count);
      continue;
    }
    for (unsigned word = 0; word < shape.bytes / 4; ++word) {
      U32 value = 0;
      std::memcpy(&value, from + std::size_t{4} * word, 4);
      fill_lanes(rows + word * lanes + strip.first, strip.count, value);
    }
  }
}

template <unsigned kWords>
void gather_words(U32* rows, const std::byte* host, Addr base, const Addr* places, unsigned lanes) {
  for (unsigned lane = 0; lane < lanes; ++lane) {
    U32 words[kWords];
    std::memcpy(words, host + (places[lane] - base), sizeof words);
    for (unsigned word = 0; word < kWords; ++word) rows[word * lanes + lane] = words[word];
  }
}

/// Four lanes at a time: four words of each become one of each in four rows.
void gather_quads(U32* rows, const std::byte* host, Addr base, const Addr* places, unsigned lanes) {
  const hn::Full128<U32> quad;
  const hn::Full128<Addr> halves;
  const auto load = [&](unsigned lane) {
    return hn::LoadU(quad, reinterpret_cast<const U32*>(host + (places[lane] - base)));
  };
  const auto store = [&](auto lower, auto upper, unsigned row, unsigned lane) {
    const auto low = hn::BitCast(halves, lower);
    const auto high = hn::BitCast(halves, upper);
    hn::StoreU(hn::BitCast(quad, hn::InterleaveLower(halves, low, high)), quad, rows + row * lanes + lane);
    hn::StoreU(hn::BitCast(quad, hn::InterleaveUpper(halves, low, high)), quad,
               rows + (row + 1) * lanes + lane);
  };
  for (unsigned lane = 0; lane < lanes; lane += 4) {
    const auto a = load(lane);
    const auto b = load(lane + 1);
    const auto c = load(lane + 2);
    const auto d = load(lane + 3);
    store(hn::InterleaveLower(quad, a, b), hn::InterleaveLower(quad, c, d), 0, lane);
    store(hn::InterleaveUpper(quad, a, b), hn::InterleaveUpper(quad, c, d), 2, lane);
  }
}

void gather_lanes(U32* rows, unsigned words, const std::byte* host, Addr base, const Addr* places,
                  unsigned lanes) {
  if (words == 1) return gather_words<1>(rows, host, base, places, lanes);
  if (words == 2) return gather_words<2>(rows, host, base, places, lanes);
  gather_quads(rows, host, base, places, lanes);
}

}  // namespace HWY_NAMESPACE
}  // namespace heddle::exec
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heddle::exec {

HWY_EXPORT(near_places);
HWY_EXPORT(far_places);
HWY_EXPORT(spread_strips);
HWY_EXPORT(gather_lanes);

LanePlaces place_near(const std::uint32_t* row, std::uint32_t offset, LaneMask mask, unsigned bytes,
                      unsigned lanes, Addr* places, LaneShape& shape) {
  return HWY_DYNAMIC_DISPATCH(near_places)(row, offset, mask, bytes, lanes, places, shape);
}

LanePlaces place_far(const std::uint32_t* rows, Addr offset, LaneMask mask, unsigned bytes, unsigned lanes,
                     Addr* places) {
  return HWY_DYNAMIC_DISPATCH(far_places)(rows, offset, mask, bytes, lanes, places);
}

void load_strips(std::uint32_t* rows, const std::byte* window, std::uint32_t first, const LaneShape& shape,
                 unsigned lanes) {
  HWY_DYNAMIC_DISPATCH(spread_strips)(rows, window, first, shape, lanes);
}

void gather(std::uint32_t* rows, unsigned words, const std::byte* host, Addr base, const Addr* places,
            unsigned lanes) {
  HWY_DYNAMIC_DISPATCH(gather_lanes)(rows, words, host, base, places, lanes);
}

}  // namespace heddle::exec
#endif  // HWY_ONCE
