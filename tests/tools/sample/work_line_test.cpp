// What was not measured, predicted by a line through what was.
#include "tools/sample/work_line.h"

#include <cmath>
#include <random>
#include <vector>

#include "isa/base/student_t.h"
#include "tests/support/catch.h"
#include "tests/support/seed.h"

namespace heddle::sample {

TEST_CASE("A straight line is predicted exactly") {
  const std::vector<TimedWork> timed = {{100, 1200}, {200, 1400}, {300, 1600}, {400, 1800}};
  const Prediction rest = predict(timed, {3, 150 + 250 + 1000});
  CHECK(rest.cycles == Approx(1300 + 1500 + 3000));
  CHECK(rest.variance == Approx(0).margin(1e-6));
  CHECK(rest.degrees_of_freedom == 2);
}

TEST_CASE("Launches of equal work are predicted by their mean") {
  const std::vector<TimedWork> timed = {{100, 10}, {100, 14}, {100, 12}, {100, 12}};
  const Prediction rest = predict(timed, {6, 600});
  CHECK(rest.cycles == Approx(72));
  // s^2 (n + n^2 / m) with s^2 = (4 + 4) / 3
  CHECK(rest.variance == Approx(8.0 / 3 * (6 + 36.0 / 4)));
  CHECK(rest.degrees_of_freedom == 3);
}

TEST_CASE("One launch predicts others, without a word of how sure that is") {
  const std::vector<TimedWork> timed = {{100, 10}};
  const Prediction rest = predict(timed, {2, 900});
  CHECK(rest.cycles == 20);
  CHECK(rest.variance == 0);
}

TEST_CASE("The interval around a predicted sum holds in 95 of 100 cases") {
  const std::uint32_t seed = test::drawn_seed();
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise(0, 50);
  std::uniform_real_distribution<double> work(100, 1000);
  constexpr int kCases = 4000;
  int held = 0;
  for (int i = 0; i < kCases; ++i) {
    std::vector<TimedWork> timed;
    for (int k = 0; k < 8; ++k) {
      const double x = work(random);
      timed.push_back({x, 500 + 3 * x + noise(random)});
    }
    UntimedWork others;
    double truth = 0;
    for (; others.launches < 40; ++others.launches) {
      const double x = work(random);
      others.warp_instructions += x;
      truth += 500 + 3 * x + noise(random);
    }
    const Prediction rest = predict(timed, others);
    held += std::abs(rest.cycles - truth) <= student_t(rest.degrees_of_freedom) * std::sqrt(rest.variance);
  }
  // 3800 are expected, with a standard deviation of 14.
  CHECK(held > 3800 - 4 * 14);
  CHECK(held < 3800 + 4 * 14);
}

}  // namespace heddle::sample
