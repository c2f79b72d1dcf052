// Errors, their mean, correlation: against values that follow from the definitions.
#include "tools/validate/comparison.h"

#include "tests/support/catch.h"
#include "tools/validate/reports.h"

namespace heddle::validate {

namespace {

Comparison comparison(double measured, std::optional<double> simulated,
                      std::optional<double> tolerance = {}) {
  return {"case", "gpu", "cycles", measured, simulated, tolerance, {}};
}

TEST_CASE("The error is relative to what was measured, and has its sign") {
  CHECK(comparison(50, 60).error() == Approx(0.2));
  CHECK(comparison(50, 40).error() == Approx(-0.2));
  CHECK_FALSE(comparison(0, 40).error());
  CHECK_FALSE(comparison(50, std::nullopt).error());
}

TEST_CASE("A case is within its tolerance, or known, or neither") {
  Comparison one = comparison(100, 105, 0.05);
  CHECK(one.is_within());  // the bound itself is
  CHECK_FALSE(one.is_unexpected());
  one.simulated = 105.1;
  CHECK_FALSE(one.is_within());
  CHECK(one.is_unexpected());
  one.deviates = "a reason";
  CHECK_FALSE(one.is_unexpected());
  CHECK_FALSE(one.is_better_than_said());
  one.simulated = 95;
  CHECK(one.is_better_than_said());
  one.simulated.reset();
  CHECK_FALSE(one.is_within());
  one.tolerance.reset();
  CHECK(one.is_within());  // none is asked for
}

TEST_CASE("The mean error is that of the magnitudes, over the cases that have one") {
  const std::vector<Comparison> cases = {comparison(10, 11), comparison(10, 7), comparison(0, 3),
                                         comparison(10, std::nullopt)};
  REQUIRE(mean_absolute_error(cases));
  CHECK(*mean_absolute_error(cases) == Approx((0.1 + 0.3) / 2));
  CHECK_FALSE(mean_absolute_error({}));
  CHECK_FALSE(mean_absolute_error(std::span(cases).subspan(2)));
}

TEST_CASE("The correlation is Pearson's") {
  std::vector<Comparison> line;
  for (const double x : {1.0, 2.0, 5.0}) line.push_back(comparison(x, 3 * x + 7));
  CHECK(*correlation(line) == Approx(1));
  for (Comparison& one : line) one.simulated = -*one.simulated;
  CHECK(*correlation(line) == Approx(-1));
  // By hand: deviations (-1, 0, 1) and (-1, 1, 0), so 1 / sqrt(2 * 2).
  const std::vector<Comparison> scattered = {comparison(1, 1), comparison(2, 3), comparison(3, 2),
                                             comparison(9, std::nullopt)};
  CHECK(*correlation(scattered) == Approx(0.5));
  CHECK_FALSE(correlation(std::vector{comparison(1, 2), comparison(1, 3)}));
  // 38 times 0.1 by 38 is not 0.1 to the last bit.
  std::vector<Comparison> level;
  for (int i = 0; i < 38; ++i) level.push_back(comparison(0.1, i));
  CHECK_FALSE(correlation(level));
  CHECK_FALSE(correlation({}));
}

TEST_CASE("A figure that the run does not have has no value, nor has what is not finite") {
  const std::vector<std::pair<std::string, Number>> run = {{"cycles", std::int64_t{12}},
                                                           {"memory.hits", 0.5}};
  CHECK(figure_of("run.cycles * run.memory.hits", run) == 6.0);
  CHECK_FALSE(figure_of("run.memory.misses", run));
  CHECK_FALSE(figure_of("run.cycles / 0", run));
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t number = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++number;
  return number;
}

TEST_CASE("The plot has a point for each case that has a place on logarithmic axes") {
  Results results;
  results.groups.push_back(
      {"V1", "first <one> & only\x01", "source", {comparison(10, 10, 0.05), comparison(100, 1000, 0.05)}});
  results.groups.push_back(
      {"V2", "second", "source", {comparison(1, 1, 0.1), comparison(0, 1, 0.1), comparison(1, 0, 0.1)}});
  const std::string svg = scatter_plot(results);
  CHECK(count(svg, "<title>V1 case, gpu: ") == 2);
  CHECK(count(svg, "<title>V2 case, gpu: ") == 1);
  CHECK(count(svg, "<path class=\"band\"") == 2);
  // Axes from 1 to 1000, 640 long, from (90, 696) on: a third is 213.3.
  CHECK(count(svg, "cx=\"303.3\" cy=\"482.7\"") == 1);
  CHECK(count(svg, "class=\"outside\" cx=\"516.7\" cy=\"56.0\"") == 1);
  CHECK(count(svg, "cx=\"90.0\" cy=\"696.0\"") == 1);
  CHECK(count(svg, "first &lt;one&gt; &amp; only?") == 1);
}

}  // namespace

}  // namespace heddle::validate
