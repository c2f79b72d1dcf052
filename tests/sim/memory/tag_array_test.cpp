#include "sim/memory/tag_array.h"

#include <algorithm>
#include <cmath>
#include <list>
#include <random>
#include <set>

#include "tests/support/catch.h"

namespace heddle::sim {
namespace {

/// Least recently used by the book: a list for each set, the last used in front.
class ReferenceTags {
 public:
  ReferenceTags(std::uint64_t sets, std::uint32_t ways) : sets_(sets), ways_(ways) {}

  bool find(std::uint64_t number) {
    std::list<std::uint64_t>& set = sets_[number % sets_.size()];
    const auto place = std::find(set.begin(), set.end(), number);
    if (place == set.end()) return false;
    set.splice(set.begin(), set, place);
    return true;
  }

  std::optional<std::uint64_t> insert(std::uint64_t number) {
    std::list<std::uint64_t>& set = sets_[number % sets_.size()];
    set.push_front(number);
    if (set.size() <= ways_) return std::nullopt;
    const std::uint64_t evicted = set.back();
    set.pop_back();
    return evicted;
  }

 private:
  std::vector<std::list<std::uint64_t>> sets_;
  std::uint32_t ways_;
};

TEST_CASE("an array has size / line size / ways sets, at least one") {
  CHECK(TagArray(64 * 1024, 128, 4).sets() == 128);
  CHECK(TagArray(1, 128, 1).sets() == 1);
}

TEST_CASE("the line that was not used for the longest time goes first") {
  TagArray tags(4 * 128, 128, 4);
  std::optional<TagArray::Line> evicted;
  for (const std::uint64_t number : {10U, 11U, 12U, 13U}) {
    tags.write(tags.insert(number, evicted), 1);
    CHECK_FALSE(evicted.has_value());
  }
  CHECK(tags.find(10) != nullptr);
  CHECK(tags.find(12) != nullptr);
  tags.insert(14, evicted);
  CHECK(evicted->number == 11);
  tags.insert(15, evicted);
  CHECK(evicted->number == 13);
  tags.insert(16, evicted);
  CHECK(evicted->number == 10);
  CHECK(tags.find(11) == nullptr);
}

TEST_CASE("what was thrown out keeps what was known of it, the new line begins without sectors") {
  TagArray tags(128, 128, 1);
  std::optional<TagArray::Line> evicted;
  TagArray::Line& line = tags.insert(7, evicted);
  line.valid = 0x8;
  tags.write(line, 0x3);
  line.filled_at = 99;
  const TagArray::Line& other = tags.insert(8, evicted);
  CHECK(evicted->number == 7);
  CHECK(evicted->valid == 0xb);
  CHECK(evicted->dirty == 0x3);
  CHECK(other.valid == 0);
  CHECK(other.dirty == 0);
  CHECK(other.filled_at == 99);  // until it is filled
}

TEST_CASE("where nothing is dirty, a line comes with its sectors, in place of the oldest") {
  TagArray tags(2 * 128, 128, 2);
  CHECK(tags.insert(7, 0x5).valid == 0x5);
  CHECK(tags.insert(8).valid == 0);
  CHECK(tags.find(7)->valid == 0x5);
  tags.insert(9, 0x1);
  CHECK(tags.find(8) == nullptr);
  CHECK(tags.find(7)->valid == 0x5);
  CHECK(tags.find(9)->valid == 0x1);
}

TEST_CASE("what memory has, too, is thrown out without a word") {
  TagArray tags(128, 128, 1);
  std::optional<TagArray::Line> evicted;
  tags.insert(7, evicted).valid = 0xf;
  tags.insert(8, evicted);
  CHECK_FALSE(evicted.has_value());
  CHECK(tags.find(7) == nullptr);
}

TEST_CASE("a line stays dirty when it is used, its place does not when another line comes") {
  TagArray tags(128, 128, 1);
  std::optional<TagArray::Line> evicted;
  tags.write(tags.insert(7, evicted), 1);
  REQUIRE(tags.find(7) != nullptr);
  tags.insert(8, evicted);
  REQUIRE(evicted.has_value());
  tags.insert(9, evicted);
  CHECK_FALSE(evicted.has_value());
}

TEST_CASE("line numbers that agree in their low bits are told apart") {
  TagArray tags(8 * 128, 128, 8);
  std::optional<TagArray::Line> evicted;
  for (const std::uint64_t far : {std::uint64_t{1} << 16, std::uint64_t{5} << 32}) {
    tags.insert(3 + 2 * far, evicted).valid = 1;
    CHECK(tags.find(3 + far) == nullptr);
    tags.insert(3 + far, evicted).valid = 2;
    CHECK(tags.find(3 + 2 * far)->valid == 1);
    CHECK(tags.find(3 + far)->valid == 2);
    CHECK(tags.find(3) == nullptr);
  }
}

TEST_CASE("an array that was emptied holds nothing, and its ways are free again") {
  for (const std::uint32_t draws : {0U, 3U}) {
    TagArray tags(4 * 128, 128, 4, draws);
    for (std::uint64_t number = 0; number < 6; ++number) tags.insert(number, 1);
    tags.invalidate();
    for (std::uint64_t number = 0; number < 6; ++number) CHECK(tags.find(number) == nullptr);
    for (std::uint64_t number = 10; number < 14; ++number) tags.insert(number, 1);
    for (std::uint64_t number = 10; number < 14; ++number) CHECK(tags.find(number) != nullptr);
  }
}

TEST_CASE("an empty array holds no line, whatever its number") {
  TagArray tags(8 * 128, 128, 8);
  CHECK(tags.find(0) == nullptr);
  CHECK(tags.find(1 << 16) == nullptr);
}

TEST_CASE("random uses find and throw out what the reference list does") {
  struct Shape {
    std::uint32_t sets, ways;
  };
  for (const auto& [sets, ways] : {Shape{1, 1}, {1, 7}, {3, 4}, {16, 2}, {5, 24}, {2, 100}, {1, 192}}) {
    TagArray tags(std::uint64_t{sets} * ways * 128, 128, ways);
    REQUIRE(tags.sets() == sets);
    ReferenceTags reference(sets, ways);
    std::set<std::uint64_t> dirty;
    std::mt19937_64 random(sets * 100 + ways);
    for (int use = 0; use < 5000; ++use) {
      const std::uint64_t far =
          random() % 4 == 0 ? std::uint64_t{sets} << 16 : 0;  // low bits that come again
      const std::uint64_t number = far + random() % (std::uint64_t{sets} * ways * 2);
      TagArray::Line* line = tags.find(number);
      REQUIRE((line != nullptr) == reference.find(number));
      if (line != nullptr) {
        REQUIRE(line->number == number);
      } else {
        std::optional<TagArray::Line> evicted;
        line = &tags.insert(number, evicted);
        std::optional<std::uint64_t> expected = reference.insert(number);
        if (expected && dirty.erase(*expected) == 0) expected.reset();
        REQUIRE(evicted.has_value() == expected.has_value());
        if (expected) REQUIRE(evicted->number == *expected);
      }
      if (random() % 4 == 0) {
        tags.write(*line, 1);
        dirty.insert(number);
      }
    }
  }
}

/// Lines 0 to `lines` - 1 again and again: which part of them `finds` when their turn comes. What it does not
/// find, it has from then on.
template <typename Finds>
double hits_of_rounds(std::uint64_t lines, Finds finds) {
  constexpr unsigned kRounds = 40;
  constexpr unsigned kSettled = 10;
  std::uint64_t hits = 0;
  for (unsigned round = 0; round < kRounds; ++round) {
    for (std::uint64_t number = 0; number < lines; ++number) {
      if (finds(number) && round >= kSettled) ++hits;
    }
  }
  return static_cast<double>(hits) / static_cast<double>(lines * (kRounds - kSettled));
}

/// The share of hits in one set of `ways`.
double hits_of_rounds(std::uint64_t lines, std::uint32_t ways, std::uint32_t draws) {
  TagArray tags(std::uint64_t{ways} * 128, 128, ways, draws);
  return hits_of_rounds(lines, [&](std::uint64_t number) {
    const bool is_there = tags.find(number) != nullptr;
    if (!is_there) tags.insert(number);
    return is_there;
  });
}

TEST_CASE("with draws, too, nothing gives way while a way is free") {
  for (const std::uint32_t draws : {0U, 1U, 5U, 64U}) {
    INFO(draws << " draws");
    CHECK(hits_of_rounds(512, 512, draws) == 1);
  }
}

// A line stays for a round in which m lines are missed with (1 - 1 / ways)^m, and of `lines` m = lines (1 -
// hits).
TEST_CASE(
    "one draw is random replacement: of a loop that is too long, hits = exp(-(1 - hits) lines / ways)") {
  constexpr std::uint32_t kWays = 1024;
  for (const double length : {1.1, 1.25, 1.5, 2.0}) {
    INFO("lines / ways " << length);
    double expected = 0;
    for (unsigned i = 0; i < 1000; ++i) expected = std::exp(-(1 - expected) * length);
    CHECK(hits_of_rounds(static_cast<std::uint64_t>(length * kWays), kWays, 1) ==
          Approx(expected).margin(0.02));
  }
}

TEST_CASE(
    "more draws come nearer to the least recently used, which finds nothing in a loop that is too long") {
  double before = hits_of_rounds(1280, 1024, 1);
  for (const std::uint32_t draws : {2U, 4U, 8U, 16U, 64U}) {
    INFO(draws << " draws");
    const double hits = hits_of_rounds(1280, 1024, draws);
    CHECK(hits < before - 0.005);
    before = hits;
  }
  CHECK(hits_of_rounds(1280, 1024, 0) == 0);
}

/// The same by a list of lines in the order of their use, and draws of another generator.
double hits_by_the_book(std::uint64_t lines, std::uint32_t ways, std::uint32_t draws,
                        std::mt19937_64& random) {
  std::vector<std::uint64_t> held;  // the least recently used first
  return hits_of_rounds(lines, [&](std::uint64_t number) {
    const auto place = std::find(held.begin(), held.end(), number);
    const bool is_there = place != held.end();
    if (is_there) {
      held.erase(place);
    } else if (held.size() == ways) {
      std::uint64_t first = ways;
      for (std::uint32_t i = 0; i < draws; ++i) first = std::min<std::uint64_t>(first, random() % ways);
      held.erase(held.begin() + static_cast<std::ptrdiff_t>(first));
    }
    held.push_back(number);
    return is_there;
  });
}

TEST_CASE("the oldest of several draws keeps as much of a loop as a list of lines in order of use does") {
  constexpr std::uint64_t kSeed = 20261124;
  INFO("seed " << kSeed);
  std::mt19937_64 random(kSeed);
  for (const std::uint32_t draws : {2U, 5U, 9U}) {
    for (const std::uint64_t lines : {264U, 300U, 340U}) {
      INFO(draws << " draws, " << lines << " lines for 256 ways");
      CHECK(hits_of_rounds(lines, 256, draws) ==
            Approx(hits_by_the_book(lines, 256, draws, random)).margin(0.03));
    }
  }
}

}  // namespace
}  // namespace heddle::sim
