// Replacement policies against models by the book, on random uses of a tag array.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include "isa/base/diagnostic.h"
#include "sim/memory/tag_array.h"
#include "tests/support/catch.h"
#include "tests/support/seed.h"

namespace heddle::sim {
namespace {

TagArray array_of(const std::string& policy, std::uint64_t sets, std::uint32_t ways) {
  TagArray tags(sets * ways * 128, 128, ways);
  tags.set_replacement(make_replacement(policy, "l1.replacement", sets, ways));
  return tags;
}

/// One set by the book: a row of ways, each with its line and whatever the policy writes beside it.
struct BookWay {
  std::uint64_t line = 0;
  bool is_taken = false;
  long note = 0;
};

/// What a book does at a use and at a fill, and whom it throws out.
struct Book {
  std::function<void(std::vector<BookWay>&, std::size_t way)> used;
  std::function<void(std::vector<BookWay>&, std::size_t way)> filled;
  std::function<std::size_t(std::vector<BookWay>&)> victim;
};

Book fifo_book() {
  auto clock = std::make_shared<long>(0);
  return {[](auto&, std::size_t) {}, [clock](auto& set, std::size_t way) { set[way].note = ++*clock; },
          [](auto& set) {
            std::size_t first = 0;
            for (std::size_t way = 1; way < set.size(); ++way) {
              if (set[way].note < set[first].note) first = way;
            }
            return first;
          }};
}

/// As figure 4 of the paper has it: look for a 3 from the left; where there is none, add one to all and look
/// again.
Book srrip_book() {
  return {[](auto& set, std::size_t way) { set[way].note = 0; },
          [](auto& set, std::size_t way) { set[way].note = 2; },
          [](auto& set) {
            while (true) {
              for (std::size_t way = 0; way < set.size(); ++way) {
                if (set[way].note == 3) return way;
              }
              for (BookWay& each : set) ++each.note;
            }
          }};
}

/// Without bits: each node goes to the half whose last use is longer ago, the left one if none was used.
Book plru_book() {
  auto clock = std::make_shared<long>(0);
  const auto touch = [clock](auto& set, std::size_t way) { set[way].note = ++*clock; };
  return {touch, touch, [](auto& set) {
            std::size_t begin = 0;
            std::size_t end = set.size();
            const auto last_use = [&](std::size_t from, std::size_t to) {
              long last = 0;
              for (std::size_t way = from; way < to; ++way) last = std::max(last, set[way].note);
              return last;
            };
            while (end - begin > 1) {
              const std::size_t middle = begin + (end - begin) / 2;
              (last_use(begin, middle) <= last_use(middle, end) ? end : begin) = middle;
            }
            return begin;
          }};
}

class BookCache {
 public:
  BookCache(Book book, std::size_t sets, std::size_t ways)
      : book_(std::move(book)), sets_(sets, std::vector<BookWay>(ways)) {}

  /// Whether the line was there; it is from now on.
  bool use(std::uint64_t line) {
    std::vector<BookWay>& set = sets_[line % sets_.size()];
    for (std::size_t way = 0; way < set.size(); ++way) {
      if (!set[way].is_taken || set[way].line != line) continue;
      book_.used(set, way);
      return true;
    }
    std::size_t way = 0;
    while (way < set.size() && set[way].is_taken) ++way;
    if (way == set.size()) way = book_.victim(set);
    set[way].line = line;
    set[way].is_taken = true;
    book_.filled(set, way);
    return false;
  }

 private:
  Book book_;
  std::vector<std::vector<BookWay>> sets_;
};

bool use(TagArray& tags, std::uint64_t line) {
  if (tags.find(line) != nullptr) return true;
  tags.insert(line, 1);
  return false;
}

TEST_CASE("each replacement policy hits and misses where its book does, on random uses") {
  const std::map<std::string, Book (*)()> books = {
      {"fifo", fifo_book}, {"srrip", srrip_book}, {"tree_plru", plru_book}};
  const std::uint64_t seed = test::drawn_seed();
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  for (const auto& [policy, book] : books) {
    for (const auto& [sets, ways] : std::vector<std::pair<std::uint64_t, std::uint32_t>>{
             {1, 1}, {1, 2}, {1, 7}, {3, 4}, {16, 8}, {5, 24}, {2, 100}}) {
      CAPTURE(policy, sets, ways);
      TagArray tags = array_of(policy, sets, ways);
      BookCache reference(book(), sets, ways);
      for (int i = 0; i < 4000; ++i) {
        // Some lines come often, so that uses matter.
        const std::uint64_t among = random() % 3 == 0 ? sets * ways * 3 : sets * ways / 2 + 1;
        const std::uint64_t line = random() % among;
        CAPTURE(i, line);
        REQUIRE(use(tags, line) == reference.use(line));
      }
    }
  }
}

// A line stays for a round in which m lines are missed with (1 - 1 / ways)^m, and of `lines` m = lines (1 -
// hits).
TEST_CASE("random replacement keeps of a loop that is too long what chance keeps") {
  constexpr std::uint32_t kWays = 1024;
  for (const double length : {1.1, 1.5, 2.0}) {
    TagArray tags = array_of("random", 1, kWays);
    const auto lines = static_cast<std::uint64_t>(length * kWays);
    std::uint64_t hits = 0;
    for (unsigned round = 0; round < 40; ++round) {
      for (std::uint64_t line = 0; line < lines; ++line) hits += use(tags, line) && round >= 10 ? 1 : 0;
    }
    double expected = 0;
    for (unsigned i = 0; i < 1000; ++i) expected = std::exp(-(1 - expected) * length);
    CHECK(static_cast<double>(hits) / static_cast<double>(30 * lines) == Approx(expected).margin(0.02));
  }
}

TEST_CASE(
    "each policy fills the free ways first, again after the array was emptied, and the same each time") {
  for (const ReplacementPolicy& policy : replacement_policies()) {
    CAPTURE(policy.name);
    std::array<TagArray, 2> tags = {array_of(std::string(policy.name), 2, 6),
                                    array_of(std::string(policy.name), 2, 6)};
    for (int time = 0; time < 2; ++time) {
      for (std::uint64_t line = 0; line < 12; ++line) CHECK_FALSE(use(tags[0], line));
      for (std::uint64_t line = 0; line < 12; ++line) CHECK(use(tags[0], line));
      tags[0].invalidate();
    }
    std::mt19937_64 random(1);
    tags[0] = array_of(std::string(policy.name), 2, 6);
    for (int i = 0; i < 2000; ++i) {
      const std::uint64_t line = random() % 30;
      REQUIRE(use(tags[0], line) == use(tags[1], line));
    }
  }
}

TEST_CASE("a copy of an array goes its own way, from what it was copied with") {
  for (const ReplacementPolicy& policy : replacement_policies()) {
    CAPTURE(policy.name);
    TagArray one = array_of(std::string(policy.name), 1, 4);
    for (std::uint64_t line = 0; line < 7; ++line) use(one, line);
    TagArray other = one;
    for (std::uint64_t line = 100; line < 300; ++line) use(one, line);
    TagArray again = array_of(std::string(policy.name), 1, 4);
    for (std::uint64_t line = 0; line < 7; ++line) use(again, line);
    std::mt19937_64 random(2);
    for (int i = 0; i < 500; ++i) {
      const std::uint64_t line = random() % 9;
      REQUIRE(use(other, line) == use(again, line));
    }
  }
}

// A loop over a part of the set, between scans of lines that never come again: RRIP keeps the loop, LRU does
// not.
TEST_CASE("srrip keeps what is used again and again through a scan, lru does not") {
  const auto hits_of_loop = [](const std::string& policy) {
    TagArray tags = array_of(policy, 1, 8);
    for (int round = 0; round < 2; ++round) {
      for (std::uint64_t line = 0; line < 4; ++line) use(tags, line);
    }
    for (std::uint64_t line = 100; line < 112; ++line) use(tags, line);
    unsigned hits = 0;
    for (std::uint64_t line = 0; line < 4; ++line) hits += tags.find(line) != nullptr ? 1 : 0;
    return hits;
  };
  CHECK(hits_of_loop("lru") == 0);
  CHECK(hits_of_loop("fifo") == 0);
  CHECK(hits_of_loop("srrip") == 4);
}

TEST_CASE("a policy that does not exist is refused with those that do") {
  CHECK(make_replacement("lru", "l1.replacement", 1, 1) == nullptr);
  try {
    make_replacement("plru", "l2.replacement", 1, 1);
    FAIL("not refused");
  } catch (const InputError& error) {
    CHECK(std::string(error.what()).find("there is no replacement policy 'plru' (l2.replacement)") !=
          std::string::npos);
  }
}

}  // namespace
}  // namespace heddle::sim
