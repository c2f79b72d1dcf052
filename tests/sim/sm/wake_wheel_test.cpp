#include "sim/sm/wake_wheel.h"

#include <map>
#include <random>

#include "tests/support/catch.h"

namespace heddle::sim {
namespace {

struct Waiting {
  unsigned warp;
  unsigned group;
};

/// What is due, by cycle: the wheel without the wheel.
template <typename Set>
class ReferenceWheel {
 public:
  void add(Cycle at, Waiting waiting) { waiting_.emplace(at, waiting); }
  auto due(Cycle now) {
    typename WakeWheel<Set>::Due due;
    const auto [first, last] = waiting_.equal_range(now);
    for (auto entry = first; entry != last; ++entry) {
      due.warps |= Set{1} << entry->second.warp;
      due.groups |= GroupSet{1} << entry->second.group;
    }
    waiting_.erase(first, last);
    return due;
  }
  [[nodiscard]] Cycle next() const { return waiting_.empty() ? kNever : waiting_.begin()->first; }

 private:
  std::multimap<Cycle, Waiting> waiting_;
};

TEMPLATE_TEST_CASE("an empty wheel is due never", "", WarpSet, WideWarpSet) {
  WakeWheel<TestType> wheel;
  CHECK(wheel.next(0) == kNever);
  CHECK(wheel.next(12345) == kNever);
  CHECK(wheel.due(77).warps == 0);
  CHECK(wheel.due(77).groups == 0);
}

TEMPLATE_TEST_CASE("warps come out at their cycle, near and far", "", WarpSet, WideWarpSet) {
  for (const Cycle ahead : {0U, 1U, 2U, 61U, 62U, 63U, 64U, 65U, 127U, 128U, 129U, 1000U}) {
    INFO(ahead << " cycles ahead");
    WakeWheel<TestType> wheel;
    wheel.add(500, 500 + ahead, 7, 2);
    CHECK(wheel.next(500) == 500 + ahead);
    if (ahead != 0) CHECK(wheel.due(500).warps == 0);
    const auto due = wheel.due(500 + ahead);
    CHECK(due.warps == TestType{1} << 7);
    CHECK(due.groups == 1U << 2);
    CHECK(wheel.next(500 + ahead) == kNever);
    CHECK(wheel.due(500 + ahead).warps == 0);
    CHECK(wheel.due(500 + ahead).groups == 0);
  }
}

TEMPLATE_TEST_CASE("what is added for the next cycle on is not due in this one", "", WarpSet, WideWarpSet) {
  // A warp that issues at cycle 500 waits from 501 on; another scheduler may still look at 500.
  for (Cycle ahead = 0; ahead < 200; ++ahead) {
    INFO(ahead << " cycles ahead");
    WakeWheel<TestType> wheel;
    wheel.add(501, 501 + ahead, 3, 0);
    CHECK(wheel.due(500).warps == 0);
    CHECK(wheel.next(501) == 501 + ahead);
    CHECK(wheel.due(501 + ahead).warps == TestType{1} << 3);
  }
}

TEMPLATE_TEST_CASE("warps of one cycle come out together", "", WarpSet, WideWarpSet) {
  WakeWheel<TestType> wheel;
  wheel.add(0, 100, 1, 5);  // far when it is added
  wheel.add(60, 100, 2, 0);
  wheel.add(60, 100, 62, 5);
  wheel.add(60, 100, kSetSize<TestType> - 1, 31);
  const TestType last = TestType{1} << (kSetSize<TestType> - 1);
  const auto due = wheel.due(100);
  CHECK(due.warps == (TestType{6} | last | TestType{1} << 62));
  CHECK(due.groups == (1U | 1U << 5 | 1U << 31));
}

TEMPLATE_TEST_CASE("random waits come out as a sorted list says", "", WarpSet, WideWarpSet) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937_64 random(seed);
    WakeWheel<TestType> wheel;
    ReferenceWheel<TestType> reference;
    TestType waiting = 0;
    Cycle now = random() % 1000;
    for (int step = 0; step < 3000; ++step) {
      const auto due = wheel.due(now);
      const auto expected = reference.due(now);
      REQUIRE(due.warps == expected.warps);
      REQUIRE(due.groups == expected.groups);
      waiting &= ~due.warps;
      for (unsigned i = 0; i < random() % 3;
           ++i) {  // from the next cycle on, or from this one if it is not this one
        const auto warp = static_cast<unsigned>(random() % kSetSize<TestType>);
        if ((waiting >> warp & 1) != 0) continue;
        const Cycle from = now + random() % 2;
        const Cycle at = std::max(now + 1, from + random() % (random() % 4 == 0 ? 400 : 70));
        const auto group = static_cast<unsigned>(random() % 32);
        wheel.add(from, at, warp, group);
        reference.add(at, {warp, group});
        waiting |= TestType{1} << warp;
      }
      REQUIRE(wheel.next(now + 1) == reference.next());
      now = waiting == 0 || random() % 2 == 0 ? now + 1 : reference.next();  // never past one that is due
    }
  }
}

}  // namespace
}  // namespace heddle::sim
