#include "sim/memory/tag_array.h"

#include <algorithm>
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

TEST_CASE("an empty array holds no line, whatever its number") {
  TagArray tags(8 * 128, 128, 8);
  CHECK(tags.find(0) == nullptr);
  CHECK(tags.find(1 << 16) == nullptr);
}

TEST_CASE("random uses find and throw out what the reference list does") {
  struct Shape {
    std::uint32_t sets, ways;
  };
  for (const auto& [sets, ways] : {Shape{1, 1}, {1, 7}, {3, 4}, {16, 2}, {5, 24}}) {
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

}  // namespace
}  // namespace heddle::sim
