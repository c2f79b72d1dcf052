// `heddle run --sweep ... --plot`: the picture shows the figures of the runs.
#include <fmt/format.h>

#include <filesystem>

#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/launch/messages.h"
#include "tests/tools/launch/scratch_folder.h"
#include "tests/tools/plot/svg_marks.h"
#include "tools/heddle/base/command.h"

namespace heddle::command {

namespace {

using launch::check_says;

std::vector<std::string> sweep(const std::string& path, std::vector<std::string> more = {}) {
  std::vector<std::string> arguments = {"run",         "latency", "--gpu", "textbook", "--sweep",
                                        "warps=1,2,4", "--plot",  path,    "--quiet"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

}  // namespace

// Each warp executes the same instructions, so their number is proportional to the warps.
TEST_CASE("the heights of a plotted sweep are its figures") {
  const launch::ScratchFolder folder;
  const std::string path = folder.path("sweep.svg");
  CHECK(heddle(sweep(path, {"--plot-figure", "warp_instructions"})).exit_code == kDone);
  const std::string svg = contents_of(path);
  const std::vector<plot::Point> marks = test::circles_of(svg);
  REQUIRE(marks.size() == 3);
  CHECK(marks[0].y - marks[2].y == Approx(3 * (marks[0].y - marks[1].y)).margin(0.4));
  CHECK(marks[2].x - marks[0].x == Approx(3 * (marks[1].x - marks[0].x)).margin(0.4));
  check_says(svg, ">warps</text>");
  check_says(svg, ">warp instructions</text>");
}

TEST_CASE("a run that failed is a gap, and the others are drawn") {
  const launch::ScratchFolder folder;
  const std::string path = folder.path("sweep.svg");
  const Outcome outcome = heddle({"run", "spin_lock", "--gpu", "tiny", "--sweep", "divergence=stack,barrier",
                                  "--sweep", "sm.guard_latency=4,5", "--plot", path, "--quiet"});
  CHECK(outcome.exit_code == kProgramFailed);
  const std::string svg = contents_of(path);
  CHECK(test::count(svg, "<polyline") == 1);
  CHECK(test::circles_of(svg).size() == 2);
}

TEST_CASE("a sweep over GPUs has their names on the axis, and lines for the other values") {
  const launch::ScratchFolder folder;
  const std::string path = folder.path("sweep.svg");
  CHECK(heddle({"run", "vecadd", "--param", "n=1000", "--sweep", "gpu=tiny,v100", "--sweep",
                "scheduler=gto,lrr", "--plot", path, "--quiet"})
            .exit_code == kDone);
  const std::string svg = contents_of(path);
  for (const char* part : {">tiny</text>", ">v100</text>", ">scheduler=gto</text>", ">scheduler=lrr</text>",
                           ">gpu</text>", ">time (us)</text>"})
    check_says(svg, part);
  CHECK(test::count(svg, "<polyline") == 2);
}

TEST_CASE("a picture does not change the report, and any number of threads makes the same bytes") {
  const launch::ScratchFolder folder;
  const auto picture = [&](const std::string& name, const char* threads) {
    CHECK(heddle(sweep(folder.path(name), {"--threads", threads, "--output", folder.path(name + ".txt")}))
              .exit_code == kDone);
    return contents_of(folder.path(name)) + contents_of(folder.path(name + ".txt"));
  };
  CHECK(picture("a.svg", "1") == picture("b.svg", "3"));
}

TEST_CASE("what cannot be plotted is refused before the first run") {
  const launch::ScratchFolder folder;
  const std::string path = folder.path("sweep.svg");
  check_refused({"run", "latency", "--plot", path}, "--plot goes with --sweep of two values or more");
  check_refused(sweep(folder.path("sweep.png")), "must be the name of an .svg");
  check_refused(sweep(path, {"--plot-figure", "cycle"}), "--plot-figure cycle: no report has this figure");
  check_refused(sweep(folder.path("none/sweep.svg")), "sweep.svg");
  check_refused(sweep(path, {"--output", path}), path);
  check_refused({"run", "latency", "--plot-figure", "cycles"}, "--plot-figure goes with --plot");
  CHECK_FALSE(std::filesystem::exists(path));
  const Outcome none = heddle(sweep(path, {"--plot-figure", "pipes.none"}));
  CHECK(none.exit_code == kInputWrong);
  check_says(none.err, "no run has a value for 'pipes.none'");
  CHECK_FALSE(std::filesystem::exists(path));
}

}  // namespace heddle::command
