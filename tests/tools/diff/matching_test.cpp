// Which line is which, on lists whose longest common subsequence is known by hand.
#include "tools/diff/matching.h"

#include <algorithm>
#include <random>

#include "tests/support/catch.h"

namespace heddle::diff {
namespace {

using Texts = std::vector<std::string>;

/// The indices, with -1 for none.
std::vector<int> pairs(const Texts& before, const Texts& after) {
  std::vector<int> all;
  for (const auto& partner : partners(before, after))
    all.push_back(partner ? static_cast<int>(*partner) : -1);
  return all;
}

TEST_CASE("lines keep their partners when lines are inserted, removed, changed or repeated") {
  CHECK(pairs({"a", "b"}, {"x", "a", "y", "b"}) == std::vector<int>{1, 3});
  CHECK(pairs({"a", "x", "b"}, {"a", "b"}) == std::vector<int>{0, -1, 1});
  CHECK(pairs({"a", "x", "b"}, {"a", "y", "b"}) == std::vector<int>{0, -1, 2});
  // The barrier that is inserted is the first one, not the last: what stands around it says so.
  CHECK(pairs({"load", "bar", "add", "bar"}, {"bar", "load", "bar", "add", "bar"}) ==
        std::vector<int>{1, 2, 3, 4});
  CHECK(pairs({}, {"a"}).empty());
  CHECK(pairs({"a"}, {}) == std::vector<int>{-1});
}

TEST_CASE("a line that was moved behind others is still paired with itself") {
  CHECK(pairs({"a", "b", "c", "d"}, {"b", "c", "d", "a"}) == std::vector<int>{3, 0, 1, 2});
}

TEST_CASE("lines so many that a subsequence would take long are paired by their order") {
  Texts before(5000, "{");
  Texts after(5000, "{");
  before.front() = "first";
  before.back() = "last";
  after.front() = "other";
  after.back() = "another";
  const std::vector<int> found = pairs(before, after);
  CHECK(found.front() == -1);
  CHECK(found.back() == -1);
  CHECK(found[1] == 1);
  CHECK(found[4998] == 4998);
}

TEST_CASE("no two lines have one partner, and partners have the same text") {
  std::mt19937 random(20261128);
  for (int round = 0; round < 200; ++round) {
    const auto drawn = [&] {
      Texts texts(random() % 30);
      for (std::string& text : texts) text = std::string(1, static_cast<char>('a' + random() % 6));
      return texts;
    };
    const Texts before = drawn();
    const Texts after = drawn();
    std::vector<bool> is_taken(after.size());
    const auto found = partners(before, after);
    REQUIRE(found.size() == before.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (!found[i]) {
        CHECK(std::count(after.begin(), after.end(), before[i]) <
              std::count(before.begin(), before.end(), before[i]));
        continue;
      }
      CHECK(after.at(*found[i]) == before[i]);
      CHECK(!is_taken[*found[i]]);
      is_taken[*found[i]] = true;
    }
  }
}

}  // namespace
}  // namespace heddle::diff
