// `heddle run --sms K`: some SMs for the whole GPU.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/launch/messages.h"
#include "tests/tools/launch/scratch_folder.h"

namespace heddle::command {

namespace {

using launch::check_says;
using nlohmann::json;

// 20 blocks on 13 SMs: those of SMs 0, 4 and 8 are 0, 4, 8, 13, 17.
const std::vector<std::string> kRun = {"run", "traces/vecadd.yaml", "--param", "n=5000", "--set", "sms=13"};

std::vector<std::string> with(std::vector<std::string> more) {
  more.insert(more.begin(), kRun.begin(), kRun.end());
  return more;
}

Outcome run(std::vector<std::string> more) { return heddle(with(std::move(more))); }

std::uint64_t sum_of_parts(const json& ledger) {
  std::uint64_t sum = 0;
  for (const auto& [key, value] : ledger.items()) {
    if (key != "total") sum += value.get<std::uint64_t>();
  }
  return sum;
}

/// A report in any form: what made it stands last.
std::string without_provenance_at_the_end(const std::string& report) {
  if (const std::size_t text = report.find("Made by heddle"); text != std::string::npos)
    return report.substr(0, text);
  if (const std::size_t object = report.find("\"provenance\": {"); object != std::string::npos)
    return report.substr(0, object);
  const std::vector<std::string> lines = lines_of(report);
  const std::vector<std::string> columns = cells_of(lines.at(0));
  const auto end = std::find(columns.begin(), columns.end(), "provenance.version") - columns.begin();
  std::vector<std::string> cells = cells_of(lines.at(1));
  REQUIRE(cells.size() == columns.size());
  cells.resize(static_cast<std::size_t>(end));
  std::string text = lines[0];
  for (const std::string& cell : cells) text += '\n' + cell;
  return text;
}

}  // namespace

TEST_CASE("A report says what was sampled, in every form") {
  const Outcome outcome = run({"--sms", "3", "--format", "json"});
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  const json report = json::parse(outcome.out);
  CHECK(report["sampled"] == json{{"sms", 3}, {"of_sms", 13}, {"blocks", 5}, {"of_blocks", 20}});
  CHECK(report["grid"] == json({20, 1, 1}));
  CHECK(report["waves"] == 20.0 / (8 * 13));
  CHECK(report["per_sm"]["sms"] == 3);
  CHECK(report["checks"]["differing"] == 0);
  CHECK(report["checks"]["compared"] == 5000);
  const std::uint64_t cycles = report["cycles"];
  CHECK(report["ledgers"]["warp_slots"]["total"] == 3 * 64 * cycles);
  for (const auto& [name, ledger] : report["ledgers"].items()) CHECK(sum_of_parts(ledger) == ledger["total"]);

  check_says(run({"--sms", "3"}).out, "SAMPLE: 3 of 13 SMs simulated · 5 of 20 blocks");
  const std::vector<std::string> csv = lines_of(run({"--sms", "3", "--format", "csv"}).out);
  REQUIRE(csv.size() == 2);
  check_says(csv[0], "sampled.sms,sampled.of_sms,sampled.blocks,sampled.of_blocks");
  check_says(csv[1], ",3,13,5,20");
}

TEST_CASE("Without --sms, with all of them or as many as there are, nothing changes but the command") {
  for (const std::string format : {"text", "json", "csv"}) {
    const auto figures = [&](std::vector<std::string> more) {
      more.insert(more.end(), {"--format", format});
      return without_provenance_at_the_end(run(more).out);
    };
    const std::string whole = figures({});
    CHECK(whole.size() > 1000);
    CHECK(whole.find("SAMPLE") == std::string::npos);
    CHECK(whole.find("sampled") == std::string::npos);
    CHECK(figures({"--sms", "all"}) == whole);
    CHECK(figures({"--sms", "13"}) == whole);
  }
}

TEST_CASE("A sample's report is the same on any number of threads, and when every cycle is visited") {
  const std::string one = run({"--sms", "5", "--threads", "1", "--format", "json"}).out;
  CHECK(run({"--sms", "5", "--threads", "4", "--format", "json"}).out == one);
  CHECK(run({"--sms", "5", "--every-cycle", "--format", "json"}).out == one);
}

TEST_CASE("Blocks outside of the sample are executed where somebody asks for results, and change no cycle") {
  const launch::ScratchFolder folder;
  const auto saved = [&](const std::string& sms) {
    const Outcome outcome = run({"--sms", sms, "--no-check", "--save", "c=" + folder.path("c.npy")});
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    return contents_of(folder.path("c.npy"));
  };
  CHECK(saved("2") == saved("all"));
  const json checked = json::parse(run({"--sms", "2", "--format", "json"}).out);
  const json unchecked = json::parse(run({"--sms", "2", "--no-check", "--format", "json"}).out);
  CHECK(checked["cycles"] == unchecked["cycles"]);
  CHECK(checked["ledgers"] == unchecked["ledgers"]);
}

TEST_CASE("Blocks outside of the sample are executed, too, if a run may take as long as there are cycles") {
  const Outcome outcome = run({"--sms", "2", "--max-cycles", "18446744073709551614"});
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
}

TEST_CASE("A timeline of a sample names blocks as the launch does") {
  const Outcome outcome = run({"--sms", "3", "--timeline", "1500:1800", "--timeline-sm", "1"});
  CHECK(outcome.exit_code == 0);
  check_says(outcome.out, "block 4 warp 0 ");
  check_says(outcome.out, "block 17 warp 7 ");
  CHECK(outcome.out.find("block 0 warp") == std::string::npos);
}

TEST_CASE("Several launches are sampled alike") {
  const Outcome outcome = heddle({"run", "traces/vecadd.yaml", "traces/saxpy.yaml", "--sms", "12"});
  CHECK(outcome.exit_code == 0);
  check_says(outcome.out, "SAMPLE: 12 of 132 SMs simulated");
}

TEST_CASE("Traces are sampled, too: blocks that are left out are passed over") {
  const json whole = run_report({"traces/traced/kernel-2.traceg", "--gpu", "a100"});
  const json some =
      run_report({"traces/traced/kernel-2.traceg", "--set", "sms=3", "--sms", "1", "--gpu", "a100"});
  // There are 4 blocks of 2 warps. SM 0 has the first and the last one, whose last warp has 16 threads.
  CHECK(whole["warp_instructions"] == 8 * 14);
  CHECK(some["warp_instructions"] == 4 * 14);
  CHECK(some["sampled"] == json{{"sms", 1}, {"of_sms", 3}, {"blocks", 2}, {"of_blocks", 4}});

  const json list = run_report({"traces/traced/kernelslist.g", "--gpu", "a100", "--sms", "2"});
  CHECK(list["all"]["sampled"]["sms"] == 2);
  CHECK(list["all"]["sampled"]["of_blocks"] == 6);
  std::uint64_t cycles = 0;
  for (const json& kernel : list["kernels"]) cycles += kernel["cycles"].get<std::uint64_t>();
  CHECK(list["all"]["cycles"] == cycles);
}

TEST_CASE("A sample of a recording takes the cycles of the same sample of the launch") {
  const launch::ScratchFolder folder;
  for (const char* launch :
       {"traces/reduce_v1.yaml", "traces/divergent_16_16.yaml", "traces/scan_exclusive.yaml"}) {
    INFO(launch);
    REQUIRE(
        heddle({"run", launch, "--gpu", "v100", "--record", folder.path("recorded"), "--quiet"}).exit_code ==
        0);
    const json live = run_report({launch, "--gpu", "v100", "--sms", "7"});
    const json replayed = run_report({folder.path("recorded/kernelslist.g"), "--gpu", "v100", "--sms", "7"});
    for (const char* key : {"cycles", "warp_instructions", "sampled", "stalls", "ledgers"})
      CHECK(live[key] == replayed[key]);
  }
}

TEST_CASE("What cannot be sampled is refused") {
  check_refused(with({"--sms", "14"}), "--sms 14: GPU 'h100' has 13 SMs");
  check_refused(with({"--sms", "0"}), "--sms 0: must be at least 1, or all");
  check_refused(with({"--sms", "some"}), "--sms some: must be a whole number");
  check_refused(with({"--sms", "2", "--record", "nowhere"}), "--record writes all blocks of a launch");
  check_refused(
      {"run", "traces/grid_barrier.yaml", "traces/spin_lock.yaml", "--sms", "2"},
      "traces/grid_barrier.sass:41: error: ATOMG.E.ADD.STRONG.GPU PT, R3, [R4.64], RZ: kernel grid_barrier");
  check_refused({"run", "traces/grid_barrier.yaml", "traces/spin_lock.yaml", "--sms", "2"},
                "traces/spin_lock.sass:19: error: ");
}

}  // namespace heddle::command
