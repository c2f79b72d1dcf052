// `heddle diff`: two runs of the real command, compared by their reports.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "isa/base/read_file.h"
#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/launch/messages.h"
#include "tests/tools/launch/scratch_folder.h"
#include "tests/tools/page/page_reader.h"
#include "tools/heddle/base/command.h"

namespace heddle::command {

namespace {

using launch::check_says;
using nlohmann::json;

/// Writes the report of one run and returns its path.
std::string report_at(const launch::ScratchFolder& folder, const std::string& name,
                      std::vector<std::string> run) {
  const std::string path = folder.path(name);
  run.insert(run.begin(), "run");
  run.insert(run.end(), {"--format", "json", "--output", path});
  const Outcome outcome = heddle(run);
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == kDone);
  return path;
}

json diff_of(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "diff");
  arguments.insert(arguments.end(), {"--format", "json"});
  const Outcome outcome = heddle(arguments);
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == kDone);
  return json::parse(outcome.out);
}

json named(const json& list, const char* key, const std::string& name) {
  for (const json& each : list) {
    if (each.at(key) == name) return each;
  }
  return nullptr;
}

}  // namespace

// On the textbook GPU a pair of a load and the instruction that needs it takes 404 cycles, and there are 64.
TEST_CASE(
    "diff finds 64 loads' shorter latency in the cycles, and attributes all of it to the wait for them") {
  const launch::ScratchFolder folder;
  const std::vector<std::string> run = {"latency", "--gpu", "textbook"};
  std::vector<std::string> faster = run;
  faster.insert(faster.end(), {"--set", "dram.latency=300"});
  const std::string before = report_at(folder, "a.json", run);
  const std::string after = report_at(folder, "b.json", faster);

  const json diff = diff_of({before, after});
  REQUIRE(diff["settings"].size() == 1);
  CHECK(diff["settings"][0]["name"] == "gpu_changes.dram.latency");
  CHECK(diff["settings"][0]["after"] == "300");
  const json cycles = named(diff["figures"], "name", "cycles");
  CHECK(cycles["difference"] == -64 * 100);
  CHECK(named(diff["figures"], "name", "warp_instructions")["difference"] == 0);
  CHECK(named(diff["cycles"]["parts"], "part", "long_scoreboard")["difference"] == -64 * 100);
  for (const json& part : diff["cycles"]["parts"])
    if (part["part"] != "long_scoreboard") CHECK(part["turns_before"] == part["turns_after"]);

  const json back = diff_of({after, before});
  CHECK(named(back["figures"], "name", "cycles")["difference"] == 64 * 100);
  const Outcome text = heddle({"diff", before, after});
  check_says(text.out, "long scoreboard");
  check_says(text.out, "-6400.0");
}

TEST_CASE("the parts sum to the cycles for any two examples and GPUs, in whole turns") {
  const launch::ScratchFolder folder;
  const std::string a = report_at(folder, "a.json", {"reduce_v1", "--gpu", "tiny", "--param", "n=4096"});
  const std::string b = report_at(folder, "b.json", {"reduce_v3", "--gpu", "v100", "--param", "n=5000"});
  const json cycles = diff_of({a, b})["cycles"];
  std::uint64_t before = 0;
  std::uint64_t after = 0;
  for (const json& part : cycles["parts"]) {
    before += part["turns_before"].get<std::uint64_t>();
    after += part["turns_after"].get<std::uint64_t>();
  }
  CHECK(before == cycles["before"].get<std::uint64_t>() * cycles["schedulers_before"].get<std::uint64_t>());
  CHECK(after == cycles["after"].get<std::uint64_t>() * cycles["schedulers_after"].get<std::uint64_t>());
  CHECK(cycles["schedulers_after"] == 80 * 4);
}

TEST_CASE("diff by line: lines that moved keep their names, and all differences sum to that of the ledger") {
  const launch::ScratchFolder folder;
  const std::string planted =
      read_file(HEDDLE_SOURCE_DIR "/tests/tools/heddle/planted/uncoalesced_load.sass");
  std::string mended;
  std::string slow;
  for (std::size_t at = 0; at < planted.size();) {
    const std::size_t end = planted.find('\n', at);
    const std::string line = planted.substr(at, end - at);
    at = end + 1;
    constexpr std::string_view kMended = "// mended: ";
    if (line.starts_with(kMended)) {
      mended.resize(mended.rfind('\n', mended.size() - 2) + 1);
      mended += fmt::format("{}\n", line.substr(kMended.size()));
      continue;
    }
    slow += fmt::format("{}\n", line);
    mended += fmt::format("{}\n", line);
  }
  const auto report = [&](const std::string& name, const std::string& text) {
    folder.write(name + ".sass", text);
    const std::string path = folder.write(
        name + ".yaml",
        fmt::format("kernel: {}.sass\ngrid: 8\nblock: 512\nparams: {{from: from, to: to, n: 64}}\n"
                    "buffers:\n  from: {{type: f32, count: 1048576}}\n"
                    "  to: {{type: f32, count: 1048576}}\n",
                    name));
    return report_at(folder, name + ".json", {path, "--gpu", "v100", "--set", "sms=4", "--lines"});
  };
  const std::string before = report("before", slow);
  const std::string after = report("after", fmt::format("// one\n// two\n// three\n{}", mended));
  const json diff = diff_of({before, after})["lines"];
  CHECK(diff["level"] == "ir");
  std::int64_t sum = diff["without_warp"]["difference"].get<std::int64_t>();
  for (const json& line : diff["lines"]) {
    sum += line["difference"].get<std::int64_t>();
    if (line["is_new"] == false && line["is_gone"] == false && !line["line_before"].is_null())
      CHECK(line["line_after"].get<int>() - line["line_before"].get<int>() == 3);
  }
  const auto slots = [](const std::string& path) {
    return json::parse(read_file(path))["ledgers"]["issue_slots"]["total"].get<std::int64_t>();
  };
  CHECK(sum == slots(after) - slots(before));
  CHECK(diff["lines"][0]["text"].get<std::string>().starts_with("LDG"));
  CHECK(diff["lines"][0]["difference"].get<std::int64_t>() < 0);
  check_says(heddle({"diff", before, after}).out, "LDG");
}

TEST_CASE("diff's page has what its JSON has, and is not written over a report") {
  const launch::ScratchFolder folder;
  const std::string before = report_at(folder, "a.json", {"latency", "--gpu", "textbook"});
  const std::string after =
      report_at(folder, "b.json", {"latency", "--gpu", "textbook", "--set", "dram.latency=300"});
  const std::string page = folder.path("diff.html");
  const json diff = diff_of({before, after, "--html", page});
  CHECK(test::data_of_page(read_file(page))["diff"] == diff);
  CHECK(heddle({"diff", before, after, "--html", before}).exit_code != kDone);
  CHECK(json::accept(read_file(before)));
}

TEST_CASE("diff compares two runs of one sweep") {
  const launch::ScratchFolder folder;
  const std::string sweep =
      report_at(folder, "s.json", {"latency", "--gpu", "textbook", "--sweep", "warps=1,2,4"});
  const json diff = diff_of({sweep, "--runs", "1,3"});
  CHECK(named(diff["settings"], "name", "swept.warps")["after"] == "4");
  CHECK(named(diff["settings"], "name", "grid")["before"] == "1");
  CHECK(named(diff["settings"], "name", "grid")["after"] == "4");
  check_refused({"diff", sweep, sweep},
                "this report has 3 runs; say which with --runs: 1 warps=1, 2 warps=2");
  check_refused({"diff", sweep, "--runs", "1,4"}, "there is no run 4; this report has 3");
}

TEST_CASE("diff refuses what it cannot compare, and says how it is called") {
  const launch::ScratchFolder folder;
  const std::string report = report_at(folder, "a.json", {"latency", "--gpu", "textbook"});
  check_refused({"diff", report}, "two reports of heddle run --format json are compared");
  check_refused({"diff", report, report, "--runs", "1"}, "--runs 1: must be two numbers of runs");
  check_refused({"diff", report, report, "--runs", "0,1"}, "--runs 0,1: must be two numbers of runs");
  check_refused({"diff", report, folder.path("none.json")}, "none.json");
  check_refused({"diff", report, folder.write("t.json", "cycles")}, "t.json:1: error: not valid JSON");
  check_refused({"diff", report, report, "--output", report}, report);
}

}  // namespace heddle::command
