#include "isa/exec/lane_places.h"

#include <array>
#include <cstring>
#include <random>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/vector_targets.h"

namespace heddle::exec {
namespace {

using Places = std::array<Addr, kMaxWarpSize>;
using Rows = std::array<std::uint32_t, 2 * kMaxWarpSize>;

/// A warp's access: so many bytes for each lane of the mask.
struct Access {
  unsigned lanes;
  unsigned bytes;
  LaneMask mask;
};

/// What a lane at a time finds out.
void check(const LanePlaces& found, const Places& places, const Access& access) {
  Addr least = ~Addr{0};
  Addr greatest = 0;
  bool aligned = true;
  for_each_lane(access.mask, [&](unsigned lane) {
    least = std::min(least, places[lane]);
    greatest = std::max(greatest, places[lane]);
    aligned = aligned && places[lane] % access.bytes == 0;
  });
  CHECK(found.span.least == least);
  CHECK(found.span.greatest == greatest);
  CHECK(found.aligned == aligned);
  CHECK(found.span.consecutive == are_consecutive(places.data(), access.mask, access.bytes));
}

constexpr unsigned kWarpSizes[] = {16, 32, 64};

/// The shapes that kernels have, and some that they should not have.
class Shapes {
 public:
  explicit Shapes(std::uint64_t seed) : random_(seed) {}

  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }

  LaneMask mask(unsigned lanes) {
    const LaneMask whole = first_lanes(lanes);
    switch (below(4)) {
      case 0:
        return whole;
      case 1:
        return whole << below(lanes) & whole;
      case 2:
        return LaneMask{1} << below(lanes);
      default: {
        const LaneMask some = random_() & whole;
        return some == 0 ? whole : some;
      }
    }
  }

  Access access() {
    const unsigned lanes = kWarpSizes[below(3)];
    const unsigned bytes = 1U << below(5);
    return {lanes, bytes, mask(lanes)};
  }

  std::uint32_t origin() {
    constexpr std::uint32_t kNearTheEnd = 0U - 256;
    return static_cast<std::uint32_t>(below(2) == 0 ? below(1U << 20) : kNearTheEnd + below(256));
  }

  void fill(std::uint32_t* row, unsigned lanes, unsigned bytes) {
    const std::uint32_t start = origin();
    const std::uint32_t steps[] = {bytes, 0, 4, 128, 132, 0U - bytes};
    const std::uint32_t step = steps[below(6)];
    for (unsigned lane = 0; lane < lanes; ++lane) row[lane] = start + lane * step;
    if (below(3) == 0) row[below(lanes)] += static_cast<std::uint32_t>(below(64));
    if (below(4) == 0) {
      for (unsigned lane = 0; lane < lanes; ++lane) row[lane] = static_cast<std::uint32_t>(random_());
    }
  }

 private:
  std::mt19937_64 random_;
};

/// What the code under test made of an access, and the places that a lane at a time has.
struct Outcome {
  Addr offset;
  LanePlaces found{};
  Places places{};
  Places expected{};
};

Outcome near_places(Shapes& shapes, const Access& access) {
  const auto [lanes, bytes, mask] = access;
  const auto offset =
      static_cast<std::uint32_t>(shapes.below(3) == 0 ? shapes.origin() : shapes.below(8) * 4);
  Rows row{};
  shapes.fill(row.data(), lanes, bytes);
  Outcome outcome{.offset = offset};
  LaneShape shape;
  outcome.found = place_near(row.data(), offset, mask, bytes, lanes, outcome.places.data(), shape);
  for (unsigned lane = 0; lane < lanes; ++lane)
    outcome.expected[lane] = static_cast<std::uint32_t>(row[lane] + offset);
  return outcome;
}

Outcome far_places(Shapes& shapes, const Access& access) {
  const auto [lanes, bytes, mask] = access;
  const Addr offsets[] = {0, 4 * shapes.below(8), 0 - shapes.below(1 << 16), shapes.below(1 << 16),
                          ~Addr{0} << 32};
  const Addr offset = offsets[shapes.below(5)];
  Rows rows{};
  shapes.fill(rows.data(), lanes, bytes);
  const auto high = static_cast<std::uint32_t>(shapes.below(4) == 0 ? 0xffffffff : shapes.below(3));
  for (unsigned lane = 0; lane < lanes; ++lane) rows[lanes + lane] = high;
  if (shapes.below(4) == 0) rows[lanes + shapes.below(lanes)] += 1;
  Outcome outcome{.offset = offset};
  outcome.found = place_far(rows.data(), offset, mask, bytes, lanes, outcome.places.data());
  for (unsigned lane = 0; lane < lanes; ++lane)
    outcome.expected[lane] = (Addr{rows[lanes + lane]} << 32 | rows[lane]) + offset;
  return outcome;
}

void check_places(Outcome place(Shapes&, const Access&), std::uint64_t seed) {
  Shapes shapes(seed);
  for (int round = 0; round < 8000; ++round) {
    const Access access = shapes.access();
    const Outcome outcome = place(shapes, access);
    INFO("round " << round << ", " << access.lanes << " lanes, " << access.bytes << " bytes, mask "
                  << access.mask << ", offset " << outcome.offset);
    REQUIRE(outcome.places == outcome.expected);
    check(outcome.found, outcome.expected, access);
  }
}

/// Whether the lanes' places are those others, all moved by one distance.
bool is_moved(const Places& places, const Places& others, LaneMask mask) {
  const unsigned first = first_lane(mask);
  bool is_moved = true;
  for_each_lane(mask, [&](unsigned lane) {
    is_moved = is_moved && places[lane] - places[first] == others[lane] - others[first];
  });
  return is_moved;
}

/// Rows that are the one before, mostly moved, or looked at otherwise, and others, all held against one
/// shape.
void check_shape(std::uint64_t seed) {
  Shapes shapes(seed);
  LaneShape shape;
  Access access{};
  Access last{};
  Rows row{};
  Places before{};
  std::uint64_t number = 0;
  for (int round = 0; round < 8000; ++round) {
    const bool is_new = round == 0 || shapes.below(4) == 0;
    if (is_new) {
      access = shapes.access();
      shapes.fill(row.data(), access.lanes, access.bytes);
    } else if (shapes.below(4) == 0) {
      access.bytes = 1U << shapes.below(5);
      access.mask = shapes.below(2) == 0 ? access.mask : shapes.mask(access.lanes);
    }
    const auto way = static_cast<std::uint32_t>(shapes.below(4) * 4 * access.bytes);
    const auto offset = static_cast<std::uint32_t>(shapes.below(4) * access.bytes);
    for (unsigned lane = 0; lane < access.lanes; ++lane) row[lane] += way;
    Places places{};
    const LanePlaces found =
        place_near(row.data(), offset, access.mask, access.bytes, access.lanes, places.data(), shape);
    Places expected{};
    for (unsigned lane = 0; lane < access.lanes; ++lane)
      expected[lane] = static_cast<std::uint32_t>(row[lane] + offset);
    INFO("round " << round << ", new " << is_new << ", moved by " << way);
    REQUIRE(places == expected);
    check(found, expected, access);
    CHECK((found.shape != 0) == found.aligned);
    const bool is_same = access.bytes == last.bytes && access.mask == last.mask;
    if (number != 0 && found.shape == number) CHECK((is_same && is_moved(places, before, access.mask)));
    if (number != 0 && !is_new && found.aligned && is_same)
      CHECK((found.shape == number) == is_moved(places, before, access.mask));
    before = places;
    last = access;
    number = found.shape;
  }
}

/// Rows of a few strips, or nearly; whoever loads by strips must load what a lane at a time loads, and no
/// more.
void check_strips(std::uint64_t seed) {
  Shapes shapes(seed);
  std::vector<std::byte> memory(1 << 14);
  for (std::byte& byte : memory) byte = static_cast<std::byte>(shapes.below(256));
  unsigned loads = 0;
  for (int round = 0; round < 8000; ++round) {
    const Access access = shapes.access();
    const auto [lanes, bytes, mask] = access;
    Rows row{};
    const std::uint64_t width = std::uint64_t{1} << shapes.below(7);
    const std::uint64_t steps[] = {0, bytes, bytes, 64};
    const std::uint64_t step = steps[shapes.below(4)];
    const std::uint64_t start = 8192 + 16 * shapes.below(8);
    for (unsigned lane = 0; lane < lanes; ++lane)
      row[lane] = static_cast<std::uint32_t>(start + lane / width * 80 + lane % width * step);
    if (shapes.below(2) == 0) row[shapes.below(lanes)] += static_cast<std::uint32_t>(4 * shapes.below(4));
    LaneShape shape;
    Places places{};
    const LanePlaces found = place_near(row.data(), 0, mask, bytes, lanes, places.data(), shape);
    if (!found.aligned || !shape.loads_by_strips) continue;
    ++loads;
    const unsigned words = bytes / 4;
    constexpr std::uint32_t kUntouched = 0xdeadbeef;
    std::vector<std::uint32_t> rows(std::size_t{4} * lanes, kUntouched);
    std::vector<std::uint32_t> expected = rows;
    for_each_lane(mask, [&](unsigned lane) {
      for (unsigned word = 0; word < words; ++word)
        std::memcpy(&expected[word * lanes + lane], &memory[places[lane] + 4 * word], 4);
    });
    load_strips(rows.data(), memory.data(), static_cast<std::uint32_t>(places[first_lane(mask)]), shape,
                lanes);
    INFO("round " << round << ", " << lanes << " lanes, " << bytes << " bytes, mask " << mask);
    REQUIRE(rows == expected);
  }
  CHECK(loads > 1000);
}

void check_gather(std::uint64_t seed) {
  Shapes shapes(seed);
  std::vector<std::uint32_t> memory(1024);
  for (std::uint32_t& word : memory) word = static_cast<std::uint32_t>(shapes.below(~0U));
  constexpr Addr kBase = 0x7f0000001000;
  for (int round = 0; round < 3000; ++round) {
    const unsigned lanes = kWarpSizes[shapes.below(3)];
    const unsigned words = 1U << shapes.below(3);
    Places places{};
    for (unsigned lane = 0; lane < lanes; ++lane)
      places[lane] = kBase + 4 * words * shapes.below(memory.size() / words);
    std::array<std::uint32_t, 4 * kMaxWarpSize> rows{};
    gather(rows.data(), words, reinterpret_cast<const std::byte*>(memory.data()), kBase, places.data(),
           lanes);
    INFO("round " << round << ", " << lanes << " lanes of " << words << " words");
    for (unsigned lane = 0; lane < lanes; ++lane) {
      for (unsigned word = 0; word < words; ++word) {
        REQUIRE(rows[word * lanes + lane] == memory[(places[lane] - kBase) / 4 + word]);
      }
    }
  }
}

TEST_CASE("places and their words are what a lane at a time finds, with every vector instruction set") {
  constexpr std::uint64_t kSeed = 20261120;
  for (const std::int64_t target : test::compiled_targets()) {
    const test::OnlyTarget only(target);
    INFO("target " << hwy::TargetName(target) << ", seed " << kSeed);
    check_places(near_places, kSeed);
    check_shape(kSeed);
    check_places(far_places, kSeed);
    check_strips(kSeed);
    check_gather(kSeed);
  }
}

}  // namespace
}  // namespace heddle::exec
