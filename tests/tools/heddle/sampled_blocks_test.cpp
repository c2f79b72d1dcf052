// `heddle run --sample blocks`: some blocks of a grid in steady state for all of them.
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/launch/messages.h"
#include "tests/tools/launch/scratch_folder.h"

namespace heddle::command {

namespace {

using launch::check_says;
using nlohmann::json;

// 2 SMs hold 4 blocks of 128 threads each: 50 waves and a part of one.
const std::vector<std::string> kRun = {"run", "black_scholes", "--param", "n=51500", "--gpu", "tiny"};

std::vector<std::string> with(std::vector<std::string> more) {
  more.insert(more.begin(), kRun.begin(), kRun.end());
  return more;
}

json report_of(std::vector<std::string> more) {
  more.insert(more.end(), {"--format", "json"});
  const Outcome outcome = heddle(with(std::move(more)));
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  return json::parse(outcome.out);
}

}  // namespace

TEST_CASE("Sampled blocks stand for all, and every form of the report says so") {
  const json whole = report_of({});
  const json some = report_of({"--sample", "blocks"});
  const json& sample = some["sampled_blocks"];
  INFO(sample.dump());
  CHECK_FALSE(whole.contains("sampled_blocks"));
  CHECK(sample["of_blocks"] == 403);
  // Each of a block's 4 warps stores twice; of the last block, which has 44 numbers, 2 do.
  CHECK(8 * sample["blocks"].get<std::uint64_t>() ==
        some["memory"]["global_store_requests"].get<std::uint64_t>() + 4);
  CHECK(sample["wave_blocks"] == 8);
  CHECK(some["cycles"].get<double>() == Approx(whole["cycles"].get<double>()).epsilon(0.03));
  CHECK(sample["cycles_least"] <= whole["cycles"]);
  CHECK(sample["cycles_most"] >= whole["cycles"]);
  CHECK(some["checks"]["differing"] == 0);
  CHECK(some["checks"]["compared"] == whole["checks"]["compared"]);
  // The ledger is that of the sample's own cycles.
  CHECK(some["ledgers"]["warp_slots"]["total"] == 2 * 16 * sample["cycles"].get<std::uint64_t>());

  check_says(heddle(with({"--sample", "blocks"})).out, "of 403 blocks simulated");
  check_says(heddle(with({"--sample", "blocks", "--full"})).out, "in 95 % of cases");
  const std::vector<std::string> csv = lines_of(heddle(with({"--sample", "blocks", "--format", "csv"})).out);
  check_says(csv.at(0), "sampled_blocks.blocks,sampled_blocks.of_blocks,sampled_blocks.cycles");
}

TEST_CASE("A sample of blocks is the same on any number of threads, and where every cycle is visited") {
  const json one = report_of({"--sample", "blocks", "--threads", "1"});
  CHECK(report_of({"--sample", "blocks", "--threads", "4"}) == one);
  CHECK(report_of({"--sample", "blocks", "--every-cycle"}) == one);
}

TEST_CASE("Blocks that are left out are executed where somebody asks for results, and change no cycle") {
  const launch::ScratchFolder folder;
  const auto saved = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"--no-check", "--quiet", "--save", "call=" + folder.path("call.npy")});
    CHECK(heddle(with(std::move(more))).exit_code == 0);
    return contents_of(folder.path("call.npy"));
  };
  CHECK(saved({"--sample", "blocks"}) == saved({}));
  const json checked = report_of({"--sample", "blocks"});
  const json unchecked = report_of({"--sample", "blocks", "--no-check"});
  CHECK(checked["sampled_blocks"] == unchecked["sampled_blocks"]);
}

TEST_CASE("What cannot be sampled by blocks is run whole, and the report says why") {
  const Outcome few = heddle({"run", "vecadd", "--param", "n=5000", "--sample", "blocks"});
  CHECK(few.exit_code == 0);
  check_says(few.out, "SAMPLE: none, all blocks simulated: it has");
  const json waiting = run_report({"traces/grid_barrier.yaml", "--sample", "blocks"});
  CHECK(waiting["sampled_blocks"]["why_whole"].get<std::string>().starts_with(
      "blocks may wait for one another (traces/grid_barrier.sass:"));
}

TEST_CASE("A recorded launch is sampled as the launch is") {
  const launch::ScratchFolder folder;
  REQUIRE(heddle(with({"--record", folder.path("recorded"), "--quiet"})).exit_code == 0);
  const json live = report_of({"--sample", "blocks"});
  const json replayed =
      run_report({folder.path("recorded/kernelslist.g"), "--gpu", "tiny", "--sample", "blocks"});
  for (const char* key : {"cycles", "warp_instructions", "sampled_blocks", "stalls", "ledgers"})
    CHECK(live[key] == replayed[key]);
}

TEST_CASE("Points of a sweep are sampled each by itself") {
  const Outcome outcome = heddle(with({"--sample", "blocks", "--sweep", "scheduler=gto,lrr"}));
  CHECK(outcome.exit_code == 0);
  check_says(outcome.out, "SAMPLE: of some runs only some blocks simulated");
}

TEST_CASE("A sample of blocks is refused where it makes no sense") {
  check_refused(with({"--sample", "blocks", "--sms", "1"}), "--sample blocks and --sms: only one of them");
  check_refused(with({"--sample", "blocks", "--record", "nowhere"}),
                "--record writes all blocks of a launch");
  check_refused(with({"--sample", "blocks", "--html", "x.html"}),
                "--timeline, --html and --perfetto show a run");
  check_refused(with({"--sample", "blocks", "--timeline", "0:9"}),
                "--timeline, --html and --perfetto show a run");
  check_refused(with({"--sample", "block"}), "--sample block: must be one of blocks, kernels");
}

}  // namespace heddle::command
