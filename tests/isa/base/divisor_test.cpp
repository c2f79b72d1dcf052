#include "isa/base/divisor.h"

#include <random>

#include "tests/support/catch.h"
#include "tests/support/seed.h"

namespace heddle {
namespace {

void check(std::uint64_t number, std::uint64_t divisor) {
  CAPTURE(number, divisor);
  const Divisor by(divisor);
  REQUIRE(by.quotient(number) == number / divisor);
  REQUIRE(by.remainder(number) == number % divisor);
}

TEST_CASE("a divisor divides as the machine does where rounding could go wrong") {
  constexpr std::uint64_t kLast = ~std::uint64_t{0};
  for (const std::uint64_t divisor :
       {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{80}, std::uint64_t{4096},
        std::uint64_t{1} << 32, (std::uint64_t{1} << 63) - 1, std::uint64_t{1} << 63, kLast - 1, kLast}) {
    const std::uint64_t greatest_multiple = kLast / divisor * divisor;
    for (const std::uint64_t number : {std::uint64_t{0}, std::uint64_t{1}, divisor - 1, divisor,
                                       greatest_multiple - 1, greatest_multiple, kLast - 1, kLast}) {
      check(number, divisor);
    }
  }
}

TEST_CASE("a divisor divides as the machine does over random numbers of every length") {
  const std::uint32_t seed = test::drawn_seed();
  INFO("seed " << seed);
  std::mt19937_64 random(seed);
  for (int i = 0; i < 100000; ++i) {
    const std::uint64_t divisor = (random() >> random() % 64) | 1;
    check(random() >> random() % 64, divisor);
    check(random() >> random() % 64, divisor + (divisor != ~std::uint64_t{0}));
  }
}

TEST_CASE("rounding up counts what is left over as a whole one") {
  const Divisor by(4);
  for (std::uint64_t number = 0; number < 40; ++number) CHECK(by.quotient_up(number) == (number + 3) / 4);
}

}  // namespace
}  // namespace heddle
