// What `heddle` prints fits its page: 80 columns in a pipe or a file, a terminal's or those of COLUMNS.
#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/launch/scratch_folder.h"
#include "tools/heddle/base/command.h"
#include "tools/report/text_columns.h"

namespace heddle::command {

namespace {

using report::text_width;

std::size_t widest(const std::string& text) {
  std::size_t columns = 0;
  for (const std::string& line : lines_of(text)) columns = std::max(columns, text_width(line));
  return columns;
}

void check_fits(const std::string& text, std::size_t columns = 80) {
  for (const std::string& line : lines_of(text)) {
    INFO(line);
    CHECK(text_width(line) <= columns);
  }
}

/// Standard output of a run of some of an H100's SMs; of all, where blocks wait for one another.
std::string run_of(const std::string& example, const std::vector<std::string>& more) {
  std::vector<std::string> arguments = {"run", example, "--no-check"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  std::vector<std::string> sampled = arguments;
  sampled.insert(sampled.end(), {"--sms", "4"});
  const Outcome outcome = heddle(sampled);
  if (outcome.exit_code == kDone) return outcome.out;
  const Outcome whole = heddle(arguments);
  INFO(whole.err);
  CHECK(whole.exit_code == kDone);
  return whole.out;
}

std::vector<std::string> examples() {
  const Outcome outcome = heddle({"help", "--words", "examples"});
  REQUIRE(outcome.exit_code == kDone);
  return lines_of(outcome.out);
}

}  // namespace

TEST_CASE(
    "Each example has a page of 24 lines and 80 columns, whose bars are as long as those of all others") {
  const std::vector<std::string> names = examples();
  CHECK(names.size() > 40);
  for (const std::string& name : names) {
    const std::string page = run_of(name, {"--ascii"});
    INFO(page);
    check_fits(page);
    CHECK(lines_of(page).size() <= 24);
    CHECK(std::regex_search(page, std::regex("\nDivergence utilization    [#:.]{12} ")));
    const std::string full = run_of(name, {"--full"});
    INFO(full);
    check_fits(full);
  }
}

TEST_CASE("Tables, timelines and failures fit the page") {
  const launch::ScratchFolder folder;
  const std::string deep = folder.path(std::string(100, 'd') + ".txt");
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"traces/traced/kernelslist.g", "--gpu", "a100"},
           {"traces/traced/kernelslist.g", "--gpu", "a100", "--full"},
           {"loop_select_interleaved", "loop_select_grouped", "with_divergence_interleaved", "--sms", "1"},
           {"vecadd", "--sms", "2", "--sweep", "block=32,64", "--sweep", "gpu=v100,a100", "--sweep",
            "scheduler=gto,lrr", "--sweep", "n=1000,2000", "--sweep", "l1.latency=30,40"},
           {"vecadd", "--gpu", "tiny", "--timeline", "0:300", "--lanes"},
           {"vecadd", "--gpu", "tiny", "--timeline", "55:200", "--lanes", "--warp-size", "64"},
           {"vecadd", "--gpu", "tiny", "--set", "l1.latency=40", "--set", "l2.latency=50", "--cold"},
           {"vecadd", "--gpu", "tiny", "--output", deep}}) {
    INFO(arguments[0]);
    std::vector<std::string> run = arguments;
    run.insert(run.begin(), "run");
    const Outcome outcome = heddle(run);
    CHECK(outcome.exit_code == kDone);
    check_fits(outcome.out);
  }
  check_fits(contents_of(deep));
}

TEST_CASE("What other commands print fits the page") {
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"gpus"},
           {"gpus", "--limits"},
           {"examples"},
           {"help"},
           {"help", "run"},
           {"help", "trace", "convert"},
           {"run", "--scheduler", "list"},
           {"occupancy", "--gpu", "h100", "--block", "256", "--regs", "40", "--grid", "700", "--cluster", "2",
            "--target", "50%", "--suggest", "--curves", "--explain"},
           {"asm", "traces/reduce_v1.sass"},
           {"asm", "traces/hgemm_warpgroup.sass"},
           {"trace", "info", "traces/traced/kernelslist.g", "--gpu", "a100"}}) {
    const Outcome outcome = heddle(arguments);
    INFO(arguments[0]);
    CHECK(outcome.exit_code == kDone);
    CHECK(outcome.err.empty());
    check_fits(outcome.out);
  }
}

TEST_CASE("A terminal's width is used, and COLUMNS before it, and files have 80 columns") {
  const std::vector<std::string> run = {"run", "vecadd", "--gpu", "tiny", "--full"};
  const auto plain = [](std::string text) {
    text = std::regex_replace(text, std::regex("\r\n"), "\n");
    return std::regex_replace(text, std::regex("\x1b\\[[0-9]+m"), "");
  };
  const std::string piped = heddle(run).out;
  CHECK(plain(heddle(run, {{}, true}).out) == piped);
  CHECK(plain(heddle(run, {{}, true, 80}).out) == piped);
  const std::string wide = plain(heddle(run, {{}, true, 110}).out);
  CHECK(widest(wide) > 80);
  check_fits(wide, 110);
  CHECK(heddle(run, {{{"COLUMNS", "110"}}}).out == wide);
  CHECK(plain(heddle(run, {{{"COLUMNS", "80"}}, true, 110}).out) == piped);
  for (const char* senseless : {"", "x", "80x", "0", "-1", "99999999999999999999"}) {
    INFO(senseless);
    CHECK(heddle(run, {{{"COLUMNS", senseless}}}).out == piped);
  }
  const launch::ScratchFolder folder;
  std::vector<std::string> to_file = run;
  to_file.insert(to_file.end(), {"--output", folder.path("report.txt")});
  CHECK(heddle(to_file, {{{"COLUMNS", "110"}}, true, 110}).exit_code == kDone);
  CHECK(contents_of(folder.path("report.txt")) == piped);
}

}  // namespace heddle::command
