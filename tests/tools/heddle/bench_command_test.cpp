// `heddle bench` as a person or a script calls it. How fast it finds anything is not looked at.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/launch/messages.h"
#include "tests/tools/launch/scratch_folder.h"
#include "tools/heddle/base/command.h"

namespace heddle::command {

namespace {

using Json = nlohmann::ordered_json;
using launch::check_says;

/// On the tiny GPU, each measured once.
std::vector<std::string> quick_bench(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "bench");
  arguments.insert(arguments.end(), {"--gpu", "tiny", "--repetitions", "1"});
  return arguments;
}

Outcome bench(std::vector<std::string> arguments) { return heddle(quick_bench(std::move(arguments))); }

Json measured(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--format", "json"});
  const Outcome outcome = bench(std::move(arguments));
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == kDone);
  return Json::parse(outcome.out);
}

void check_bench_refused(std::vector<std::string> arguments, std::string_view message) {
  check_refused(quick_bench(std::move(arguments)), message);
}

}  // namespace

TEST_CASE("bench simulates what run does, and counts what executing it alone does") {
  const Json found = measured({"traces/reduce_v1.yaml", "--param", "n=2048", "--threads", "2"});
  const Json run = Json::parse(json_report({"traces/reduce_v1.yaml", "--param", "n=2048"}));
  REQUIRE(found["rows"].size() == 1);
  const Json& row = found["rows"][0];
  CHECK(row["name"] == "reduce_v1");
  CHECK(row["cycles"] == run["cycles"]);
  for (const char* way : {"functional", "timed", "threaded"}) {
    CHECK(row[way]["warp_instructions"] == run["warp_instructions"]);
    CHECK(row[way]["seconds"].get<double>() > 0);
  }
  const std::uint64_t places = run["blocks_per_sm"].get<std::uint64_t>() * 2;  // SMs
  CHECK(row["resident_warps"] == std::min<std::uint64_t>(8, places) * 8);      // of 8 blocks of 8 warps
  CHECK(row["heap_bytes"] >= row["gpu_bytes"]);
  CHECK(found["gpu"] == "tiny");
  CHECK(found["threads"] == 2);
  CHECK(found["repetitions"] == 1);
}

TEST_CASE("bench puts memory back before each run, so that tickets and counters begin anew") {
  const Json found = measured({"traces/reduce_last_block.yaml", "traces/histogram_global.yaml"});
  for (const Json& row : found["rows"]) {
    const Json run = Json::parse(json_report({"traces/" + row["name"].get<std::string>() + ".yaml"}));
    CHECK(row["cycles"] == run["cycles"]);
    CHECK(row["timed"]["warp_instructions"] == run["warp_instructions"]);
  }
}

TEST_CASE("bench leaves out what cannot run without time") {
  const Json row = measured({"traces/grid_barrier.yaml"})["rows"][0];
  CHECK(row["functional"]["seconds"].is_null());
  CHECK(row["timed_per_functional"].is_null());
  CHECK(row["timed"]["seconds"].get<double>() > 0);
}

TEST_CASE("bench reads traces, each kernel of a list for itself") {
  const Json list = measured({"traces/traced/kernelslist.g"});
  CHECK(list["rows"].size() == 3);
  const Json& row = list["rows"][0];
  CHECK(row["name"] == "kernel-1.traceg");
  CHECK(row["functional"]["warp_instructions"] == row["timed"]["warp_instructions"]);
}

TEST_CASE("bench saves what a later one compares with") {
  const launch::ScratchFolder folder;
  const std::string before = folder.path("before.json");
  const Outcome first = bench({"traces/saxpy.yaml", "--threads", "1", "--save", before});
  INFO(first.err);
  REQUIRE(first.exit_code == kDone);
  CHECK(Json::parse(contents_of(before))["rows"][0]["name"] == "saxpy");
  const Outcome second = bench({"traces/saxpy.yaml", "--threads", "1", "--against", before});
  check_says(second.out, "against " + before);
  check_says(second.out, "times as fast as then");
}

TEST_CASE("bench knows its cases by their names and lists them") {
  const Json found = measured({"ffma_loop", "--set", "sms=1"});
  CHECK(found["rows"][0]["name"] == "ffma_loop");
  const Outcome help = heddle({"bench", "--help"});
  check_says(help.out, "ffma_loop");
  check_says(help.out, "vecadd.yaml n=16777216");
}

TEST_CASE("bench refuses what it cannot measure before it measures anything") {
  check_bench_refused({"ffma_lop"}, "did you mean 'ffma_loop'");
  check_bench_refused({"traces/saxpy.yaml", "traces/none.yaml", "none_either.yaml"}, "none_either.yaml");
  check_bench_refused({"traces/saxpy.yaml", "--param", "m=1"}, "m");
  check_bench_refused({"ffma_loop", "--param", "n=1"}, "--param goes with a launch file");
  check_bench_refused({"traces/traced/kernel-1.traceg", "--set", "occupancy.warp_size=64"},
                      "GPU 'tiny' has warps of 64 lanes; those of traces have 32");
  check_bench_refused({"traces/saxpy.yaml", "--repetitions", "0"}, "--repetitions");
  check_bench_refused({"traces/saxpy.yaml", "--against", "traces/saxpy.yaml"}, "heddle bench --save writes");
  check_bench_refused({"traces/saxpy.yaml", "--save", "/nowhere/x.json"}, "/nowhere/x.json");
}

TEST_CASE("bench leaves out examples that the GPU cannot run, but not what was asked for") {
  // one example that ends, one that deadlocks on a SIMT stack, one too large
  const launch::ScratchFolder folder;
  std::filesystem::copy(HEDDLE_SOURCE_DIR "/configs", folder.path("configs"));
  std::filesystem::create_directory(folder.path("traces"));
  for (const char* name : {"saxpy", "spin_lock", "hgemm"}) {
    for (const char* ending : {"yaml", "sass"}) {
      const std::string file = fmt::format("traces/{}.{}", name, ending);
      std::filesystem::copy(fmt::format("{}/{}", HEDDLE_SOURCE_DIR, file), folder.path(file));
    }
  }
  const Outcome all = heddle({"bench", "--gpu", "tiny", "--repetitions", "1", "--format", "json"},
                             {{{"HEDDLE_CONFIGS", folder.path("configs")}}});
  INFO(all.err);
  REQUIRE(all.exit_code == kDone);
  const Json rows = Json::parse(all.out)["rows"];
  REQUIRE(rows.size() == 1);
  CHECK(rows[0]["name"] == "saxpy");
  check_says(all.err, "spin_lock is left out: ");
  check_says(all.err, "hgemm is left out: ");
  CHECK(bench({"traces/spin_lock.yaml"}).exit_code == kProgramFailed);
  check_bench_refused({"traces/hgemm.yaml"}, "shared memory a block");
}

TEST_CASE("bench without launches needs the examples beside the GPU files") {
  const launch::ScratchFolder folder;
  std::filesystem::copy(HEDDLE_SOURCE_DIR "/configs", folder.path("configs"));
  const Outcome outcome = heddle({"bench"}, {{{"HEDDLE_CONFIGS", folder.path("configs")}}});
  CHECK(outcome.exit_code == kInputWrong);
  check_says(outcome.err, "there are no examples in");
}

}  // namespace heddle::command
