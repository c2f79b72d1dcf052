// `heddle run --sweep`: a table of runs that differ in what is swept.
#include "tools/heddle/run/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/launch/scratch_folder.h"

namespace heddle::command {

namespace {

using nlohmann::json;

/// The swept report has, at `place`, what the run by itself reports, and says what is swept.
void check_point(const json& swept, std::size_t place, const json& values,
                 const std::vector<std::string>& by_itself) {
  INFO(fmt::format("point {}", place));
  json point = swept.at(place);
  CHECK(point["swept"] == values);
  point.erase("swept");
  CHECK(without_provenance(point) == without_provenance(run_report(by_itself)));
}

void check_sweep_refused(std::vector<std::string> arguments, std::string_view message) {
  arguments.insert(arguments.begin(), {"run", "traces/vecadd.yaml"});
  check_refused(arguments, message);
}

}  // namespace

TEST_CASE("Each value of a sweep meets each of the others, the last one's changing fastest") {
  const std::vector<SweepPoint> points = sweep_points({"gpu=v100,a100", "n=1,2,3", "l1.latency=30"});
  REQUIRE(points.size() == 6);
  CHECK(points[1].values == SweptValues{{"gpu", "v100"}, {"n", "2"}, {"l1.latency", "30"}});
  CHECK(points[1].arguments == Arguments{"--gpu", "v100", "--param", "n=2", "--set", "l1.latency=30"});
  CHECK(points[3].values == SweptValues{{"gpu", "a100"}, {"n", "1"}, {"l1.latency", "30"}});
  const std::vector<SweepPoint> one = sweep_points({});
  REQUIRE(one.size() == 1);
  CHECK(one[0].values.empty());
  CHECK(one[0].arguments.empty());
}

TEST_CASE("A point of a sweep reports what the run by itself reports") {
  const json swept = run_report({"traces/vecadd.yaml", "traces/saxpy.yaml", "--gpu", "tiny", "--sweep",
                                 "scheduler=lrr,gto", "--sweep", "n=300,500"});
  REQUIRE(swept.size() == 8);
  check_point(swept, 0, {{"scheduler", "lrr"}, {"n", "300"}},
              {"traces/vecadd.yaml", "--gpu", "tiny", "--scheduler", "lrr", "--param", "n=300"});
  check_point(swept, 3, {{"scheduler", "lrr"}, {"n", "500"}},
              {"traces/saxpy.yaml", "--gpu", "tiny", "--scheduler", "lrr", "--param", "n=500"});
  check_point(swept, 6, {{"scheduler", "gto"}, {"n", "500"}},
              {"traces/vecadd.yaml", "--gpu", "tiny", "--scheduler", "gto", "--param", "n=500"});
}

TEST_CASE("Traces are swept, too: each kernel, and all of a list together") {
  constexpr const char* kList = "traces/traced/kernelslist.g";
  const json swept = run_report({kList, "--sweep", "gpu=tiny,a100"});
  REQUIRE(swept.size() == 2 * (3 + 1));
  const json alone = run_report({kList, "--gpu", "a100"});
  for (std::size_t kernel = 0; kernel < 3; ++kernel)
    CHECK(swept[4 + kernel]["cycles"] == alone["kernels"][kernel]["cycles"]);
  CHECK(swept[7]["cycles"] == alone["all"]["cycles"]);
  CHECK(swept[7]["swept"] == json{{"gpu", "a100"}});
}

TEST_CASE("The table of a sweep of traces names each kernel, and the list where it is all of them") {
  const Outcome outcome = heddle({"run", "traces/traced/kernelslist.g", "--sweep", "gpu=tiny,a100"});
  REQUIRE(outcome.exit_code == 0);
  const auto lines = lines_of(outcome.out);
  for (std::size_t point = 0; point < 2; ++point) {
    CHECK(lines.at(2 + 4 * point).find("kernel-1 ") == 0);
    CHECK(lines.at(5 + 4 * point).find("kernelslist.g ") == 0);
  }
}

TEST_CASE("The table of a sweep has a column for each key, and names a GPU that all runs have") {
  const Outcome one_gpu = heddle({"run", "traces/vecadd.yaml", "--param", "n=65536", "--gpu", "tiny", "--sweep", "block=32,64"});
  REQUIRE(one_gpu.exit_code == 0);
  CHECK(lines_of(one_gpu.out).at(0).find("2 runs on ") == 0);
  CHECK(lines_of(one_gpu.out).at(1).find("launch  block  cycles") == 0);
  CHECK(lines_of(one_gpu.out).at(2).find("vecadd     32 ") == 0);
  CHECK(lines_of(one_gpu.out).at(3).find("vecadd     64 ") == 0);
  const Outcome two = heddle({"run", "traces/vecadd.yaml", "--sweep", "gpu=tiny,textbook"});
  REQUIRE(two.exit_code == 0);
  CHECK(lines_of(two.out).at(0) == "2 runs");
  const Outcome csv =
      heddle({"run", "traces/vecadd.yaml", "--sweep", "gpu=tiny,textbook", "--format", "csv"});
  CHECK(lines_of(csv.out).at(0).find(",swept.gpu,") != std::string::npos);
}

TEST_CASE("A check that fails at one point of a sweep fails the command") {
  const launch::ScratchFolder folder;
  const std::string file = folder.write("scale.yaml", R"(
kernel: scale.sass
values: {expected: 2}
grid: 1
block: 32
params: {data: data, n: 32, shift: 0, factor: 2, big: 0}
buffers: {data: {type: f32, count: 32, fill: ramp}}
check: [{buffer: data, equals: f32(expected * i)}]
)");
  CHECK(heddle({"run", file, "--gpu", "tiny", "--sweep", "scheduler=gto,lrr"}).exit_code == 0);
  const Outcome outcome = heddle({"run", file, "--gpu", "tiny", "--sweep", "expected=2,3,2"});
  CHECK(outcome.exit_code == 1);
  REQUIRE(lines_of(outcome.out).size() > 5);
  CHECK(lines_of(outcome.out)[5].empty());
  CHECK(lines_of(outcome.out)[2].ends_with("ok"));
  CHECK(lines_of(outcome.out)[3].ends_with("WRONG"));
  CHECK(outcome.err.find("check failed (at expected=3): 31 of 32 compared elements") != std::string::npos);
}

TEST_CASE("In CSV, a row of a sweep has its figures under their names, whatever GPU it is of") {
  const json swept = run_report(
      {"traces/vecadd.yaml", "--param", "n=512", "--sweep", "gpu=tiny,a100,h100", "--sweep", "sms=1,all"});
  const Outcome csv = heddle({"run", "traces/vecadd.yaml", "--param", "n=512", "--sweep",
                              "gpu=tiny,a100,h100", "--sweep", "sms=1,all", "--no-check", "--format", "csv"});
  const std::vector<std::string> lines = lines_of(csv.out);
  REQUIRE(lines.size() == 1 + swept.size());
  const std::vector<std::string> names = cells_of(lines[0]);
  for (const auto& [column, way] : {std::pair<std::string, std::string>{"pipes.fma_lite", "/pipes/fma_lite"},
                                    {"pipes.fma", "/pipes/fma"},
                                    {"sampled.sms", "/sampled/sms"},
                                    {"memory.dram_read_bytes", "/memory/dram_read_bytes"},
                                    {"verdict.kind", "/verdict/kind"}}) {
    INFO(column);
    const auto place =
        static_cast<std::size_t>(std::find(names.begin(), names.end(), column) - names.begin());
    REQUIRE(place < names.size());
    for (std::size_t i = 0; i < swept.size(); ++i) {
      const json* const value =
          swept[i].contains(json::json_pointer(way)) ? &swept[i].at(json::json_pointer(way)) : nullptr;
      const std::string expected = value == nullptr     ? ""
                                   : value->is_string() ? value->get<std::string>()
                                                        : value->dump();
      REQUIRE(cells_of(lines[1 + i]).size() == names.size());
      CHECK(cells_of(lines[1 + i])[place] == expected);
    }
  }
}

TEST_CASE("What is swept overrides other settings of the same thing") {
  const json swept = run_report({"traces/vecadd.yaml", "--gpu", "tiny", "--sweep",
                                 "dispatch.kernel_launch=10,90", "--set", "dispatch={kernel_launch: 500}"});
  CHECK(swept[1]["cycles"].get<std::uint64_t>() == swept[0]["cycles"].get<std::uint64_t>() + 80);
}

TEST_CASE("A report does not take the place of a trace of the list, nor of what stands beside one") {
  const launch::ScratchFolder folder;
  const std::string recorded = folder.path("recorded");
  REQUIRE(heddle({"run", "traces/saxpy.yaml", "--gpu", "tiny", "--record", recorded, "--quiet"}).exit_code ==
          0);
  for (const char* name : {"/kernel-1.traceg.zst", "/kernel-1.facts.zst", "/kernelslist.g"}) {
    const std::string before = contents_of(recorded + name);
    check_refused({"run", recorded + "/kernelslist.g", "--gpu", "tiny", "-o", recorded + name}, name);
    CHECK(contents_of(recorded + name) == before);
  }
}

TEST_CASE("A value that cannot be is called as the sweep says it") {
  check_sweep_refused({"--sweep", "l1.latency=-1,40"}, "--sweep l1.latency=-1: error: 'l1.latency' must be");
  check_sweep_refused({"--sweep", "n=1024,abc"}, "--sweep n=abc: error: ");
  check_sweep_refused({"--sweep", "block=64,2048"}, "--sweep block=2048: error: ");
  check_sweep_refused({"--sweep", "block=64,x"}, "--sweep block=x: must be a size above 0");
  check_sweep_refused({"--sweep", "warp-size=16,33"},
                      "--sweep warp-size=33: error: 'occupancy.warp_size' must be");
  check_sweep_refused({"--sweep", "sms=1,999"}, "--sweep sms=999: GPU 'h100' has 132 SMs");
  check_refused({"run", "traces/traced/kernelslist.g", "--sweep", "l1.latency=-1,40"},
                "--sweep l1.latency=-1: error: 'l1.latency' must be");
  check_refused({"run", "--print-gpu", "--divergence", "[1"}, "--divergence [1: error: ");
}

TEST_CASE("A sweep over what --cold says is of two kinds of launches") {
  const json swept =
      run_report({"traces/vecadd.yaml", "--param", "n=4096", "--sweep", "cold.enabled=true,false"});
  CHECK(swept[0]["cold"] == true);
  CHECK(swept[1]["cold"] == false);
  CHECK(swept[0]["cycles"] > swept[1]["cycles"]);
}

TEST_CASE("A sweep that cannot be made is refused before the first run") {
  check_sweep_refused({"--sweep", "n"}, "--sweep n: must be KEY=VALUE,VALUE,..., as scheduler=gto,lrr");
  check_sweep_refused({"--sweep", "=1"}, "--sweep =1: must be KEY=VALUE,VALUE,...");
  check_sweep_refused({"--sweep", "n="}, "--sweep n=: must be");
  check_sweep_refused({"--sweep", "n=1,,2"}, "--sweep n=1,,2: must be");
  check_sweep_refused({"--sweep", "n=1", "--sweep", "n=2"}, "--sweep n is given twice");
  check_sweep_refused({"--sweep", "n=1,2", "--param", "n=3"}, "--param and --sweep both say what n is");
  check_sweep_refused({"--sweep", "l1.latency=1,2", "--set", "l1.latency=3"},
                      "--set and --sweep both say what l1.latency is");
  check_sweep_refused({"--sweep", "scheduler=gto,lrr", "--scheduler", "lrr"},
                      "--scheduler and --sweep both say what scheduler is");
  check_sweep_refused({"--sweep", "scheduler=gto,best"}, "'best'");
  check_sweep_refused({"--sweep", "n=256,many"}, "'many' is no value");
  check_sweep_refused({"--sweep", "nn=256"}, "--sweep nn=256: error: traces/vecadd.yaml has no value 'nn'");
  check_sweep_refused({"--sweep", "sm.scheduler=gto,lrr"}, "must be --sweep scheduler=...");
  check_sweep_refused({"--sweep", "cold.enabled=true,false", "--cold"},
                      "--cold and --sweep both say what cold.enabled is");
  check_sweep_refused({"--sweep", "n=1,2", "--save", "c=c.npy"}, "go with one run, not with --sweep");
  check_sweep_refused({"--sweep", "n=1,2", "--timeline", "0:9"}, "go with one run, not with --sweep");
  std::string many = "n=1";
  for (int i = 0; i < 10'000; ++i) many += ",1";
  check_sweep_refused({"--sweep", many}, "that makes more than 10000 points");
}

}  // namespace heddle::command
