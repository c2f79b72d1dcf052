#include "isa/base/time_order.h"

#include <algorithm>
#include <numeric>
#include <random>

#include "tests/support/catch.h"

namespace heddle {

TEST_CASE("Things are ordered by time, and stay as they are within one") {
  constexpr unsigned kSeed = 20261123;
  INFO("seed " << kSeed);
  std::mt19937 random(kSeed);
  TimeOrder order;
  for (const std::size_t count : {1U, 2U, 100U, 5U}) {
    const Cycle first = random();
    std::vector<Cycle> times(count);
    for (Cycle& time : times) time = first + random() % 9;
    std::vector<std::uint32_t> expected(count);
    std::iota(expected.begin(), expected.end(), 0U);
    std::stable_sort(expected.begin(), expected.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return times[a] < times[b]; });
    CHECK(order.of(count, first, first + 8, [&](std::uint32_t i) { return times[i]; }) == expected);
  }
}

TEST_CASE("Of no things there is no order, whatever the times") {
  TimeOrder order;
  CHECK(order.of(0, kNever, 0, [](std::uint32_t) { return Cycle{0}; }).empty());
}

}  // namespace heddle
