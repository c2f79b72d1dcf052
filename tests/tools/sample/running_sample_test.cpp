// Which launches of a running program are timed, and what follows for all of them.
#include "tools/sample/running_sample.h"

#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/seed.h"

namespace heddle::sample {

namespace {

/// A launch of a made-up program.
struct Made {
  LaunchTraits traits;
  Cycle cycles = 0;
};

LaunchTraits launch(const std::string& kernel, std::uint64_t instructions, std::uint32_t blocks = 8) {
  return {kernel, {blocks, 1, 1}, {64, 1, 1}, 16, 0, instructions, false};
}

/// Runs it launch by launch; what launches took is known `late` launches later, as of a program that waits
/// seldom. Returns which were timed.
std::vector<bool> run(RunningSample& sample, const std::vector<Made>& program, std::size_t late = 0) {
  std::vector<bool> timed;
  const auto end = [&](std::size_t i) {
    if (timed[i]) {
      sample.add_timed(i, program[i].cycles, program[i].traits.warp_instructions);
    } else {
      sample.add_executed(i, program[i].traits.warp_instructions);
    }
  };
  for (std::size_t i = 0; i < program.size(); ++i) {
    timed.push_back(sample.begin(program[i].traits));
    if (i >= late) end(i - late);
  }
  for (std::size_t i = program.size() - std::min(late, program.size()); i < program.size(); ++i) end(i);
  return timed;
}

double cycles_of(const std::vector<Made>& program) {
  double sum = 0;
  for (const Made& each : program) sum += static_cast<double>(each.cycles);
  return sum;
}

}  // namespace

TEST_CASE("A program of few launches is timed whole") {
  RunningSample sample;
  std::vector<Made> program;
  for (Cycle i = 0; i < 5; ++i) program.push_back({launch("a", 100), 1000 + 7 * i});
  const std::vector<bool> timed = run(sample, program);
  CHECK(timed == std::vector<bool>(5, true));
  const ProgramEstimate all = sample.estimate();
  CHECK(all.launches == 5);
  CHECK(all.timed == 5);
  CHECK(all.cycles == Approx(5 * 1000 + 7 * 10));
  CHECK(all.half_width == 0);
}

TEST_CASE("Launches that take the same time are estimated exactly from a few of them") {
  RunningSample sample;
  std::vector<Made> program;
  for (int i = 0; i < 2000; ++i) {
    program.push_back({launch("a", 100), 1000});
    program.push_back({launch("b", 300), 5000});
  }
  program.front().cycles = 9000;  // what the first one does not find in L2
  const std::vector<bool> timed = run(sample, program, GENERATE(0, 40, 4000));
  const ProgramEstimate all = sample.estimate();
  CHECK(all.launches == 4000);
  CHECK(all.timed == static_cast<std::uint64_t>(std::count(timed.begin(), timed.end(), true)));
  CHECK(all.timed < 160);
  CHECK(all.cycles == Approx(cycles_of(program)));
  CHECK(all.half_width == Approx(0).margin(1e-3));
  CHECK(sample.estimate("b").cycles == Approx(2000 * 5000));
  CHECK(sample.expected(3999) == 5000);
}

TEST_CASE("Before a launch that counts, the launch before it is timed") {
  RunningSample sample;
  std::vector<Made> program;
  for (int i = 0; i < 1000; ++i) {
    for (const char* kernel : {"a", "b", "c"}) program.push_back({launch(kernel, 100), 1000});
  }
  const std::vector<bool> timed = run(sample, program);
  // From one launch of a kernel to its next one: no stretch of timed launches is shorter.
  std::size_t begin = 0;
  for (std::size_t i = 1; i < timed.size(); ++i) {
    if (timed[i] && !timed[i - 1]) begin = i;
    if (!timed[i] && timed[i - 1]) CHECK(i - begin >= 4);
  }
}

TEST_CASE("What finds an emptier L2 does not count, and widens the interval") {
  RunningSample sample;
  std::vector<Made> program;
  for (int i = 0; i < 1000; ++i) program.push_back({launch("a", 100), 1000});
  std::vector<bool> timed;
  for (std::size_t i = 0; i < program.size(); ++i) {
    const bool was_timed = i == 0 || timed.back();
    timed.push_back(sample.begin(program[i].traits));
    if (timed[i]) {
      sample.add_timed(i, was_timed ? 1000 : 1200, 100);
    } else {
      sample.add_executed(i, 100);
    }
  }
  const ProgramEstimate all = sample.estimate();
  CHECK(all.cycles == Approx(1000 * 1000));
  CHECK(all.half_width > 0.9 * 200 * static_cast<double>(1000 - all.timed));
  CHECK(all.half_width <= 200 * 1000);
}

TEST_CASE("A kernel that must be timed is, and others of it are estimated all the same") {
  RunningSample sample;
  for (int i = 0; i < 20; ++i) CHECK(sample.begin(launch("a", 1), true));
}

TEST_CASE("Launches in flight when a launch failed leave an estimate of those that ended") {
  RunningSample sample;
  CHECK(sample.estimate().launches == 0);
  CHECK(sample.begin(launch("a", 100)));
  CHECK(sample.expected(0) == 0);
  CHECK(sample.estimate().cycles == 0);
}

TEST_CASE("The interval holds the cycles of random programs in 95 of 100 cases, from few of their launches") {
  const std::uint32_t seed = test::drawn_seed();
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  constexpr int kPrograms = 300;
  int held = 0;
  double error = 0;
  double share = 0;
  for (int i = 0; i < kPrograms; ++i) {
    const auto between = [&](double least, double most) {
      return std::uniform_real_distribution(least, most)(random);
    };
    struct Kind {
      double base, slope, scatter, work, spread;
    };
    std::vector<Kind> kinds;
    for (int k = 0; k < 1 + i % 5; ++k)
      kinds.push_back(
          {between(500, 5000), between(0, 3), between(0, 0.1), between(100, 10000), between(0, 0.3)});
    std::vector<Made> program;
    for (int launches = 0; launches < 1500; ++launches) {
      const std::size_t kind = static_cast<std::size_t>(launches) % kinds.size();
      const Kind& of = kinds[kind];
      const double work = of.work * std::max(0.1, 1 + of.spread * std::normal_distribution<double>()(random));
      const double cycles = (of.base + of.slope * work) *
                            std::max(0.2, 1 + of.scatter * std::normal_distribution<double>()(random));
      program.push_back(
          {launch(std::string(1, static_cast<char>('a' + kind)), static_cast<std::uint64_t>(work)),
           static_cast<Cycle>(cycles)});
    }
    RunningSample sample;
    run(sample, program, i % 3 == 0 ? 100 : 0);
    const ProgramEstimate all = sample.estimate();
    const double truth = cycles_of(program);
    held += std::abs(all.cycles - truth) <= all.half_width;
    error += std::abs(all.cycles / truth - 1) / kPrograms;
    share += static_cast<double>(all.timed) / static_cast<double>(all.launches) / kPrograms;
  }
  INFO("held " << held << ", mean error " << error << ", timed " << share);
  CHECK(held >= static_cast<int>(0.9 * kPrograms));
  CHECK(error < 0.01);
  CHECK(share < 0.12);
}

}  // namespace heddle::sample
