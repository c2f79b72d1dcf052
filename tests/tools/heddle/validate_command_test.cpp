// `heddle validate`, as a person runs it: figures that are made by the run, reports, exit codes.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/heddle/made_by.h"
#include "tests/tools/launch/messages.h"
#include "tests/tools/launch/scratch_folder.h"

namespace heddle::command {

namespace {

using launch::check_says;
using launch::ScratchFolder;
using Json = nlohmann::json;

/// So many FFMAs that each need the last one's result.
std::string chain(const std::string& name, unsigned links) {
  std::string text = fmt::format(".kernel {}\n    MOV R0, RZ\n", name);
  for (unsigned i = 0; i < links; ++i) text += "    FFMA R0, R0, 1.5, R0\n";
  return text + "    EXIT\n";
}

/// A folder with two launches, of 16 links and of 48: the difference is 32 times the latency of an FFMA,
/// which is 4 cycles on `tiny`.
class Chains {
 public:
  Chains() {
    folder_.write("chains.sass", chain("few", 16) + chain("many", 48));
    for (const char* name : {"few", "many"}) {
      folder_.write(fmt::format("{}.yaml", name),
                    fmt::format("kernel: chains.sass\nentry: {}\ngrid: 1\nblock: 32\n", name));
    }
  }

  std::string suite(const std::string& cases) const {
    return folder_.write("suite.yaml", R"(group: L
title: Latencies
source: by hand
gpu: tiny
tolerance: 0.05
unit: cycles
runs: {few: {launch: few.yaml}, many: {launch: many.yaml}}
simulated: (many.cycles - few.cycles) / 32
cases:
)" + cases);
  }

  /// A copy of the file of `tiny` with another latency.
  std::string changed_gpus(unsigned latency) const {
    const Outcome printed =
        heddle({"gpus", "tiny", "--set", fmt::format("sm.instructions.fp32.latency={}", latency)});
    REQUIRE(printed.exit_code == 0);
    folder_.write("tiny.yaml", printed.out);
    return folder_.path("");
  }

  [[nodiscard]] const ScratchFolder& folder() const { return folder_; }

 private:
  ScratchFolder folder_;
};

Outcome validate(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "validate");
  return heddle(arguments);
}

/// Simulated values and errors of the first group.
std::vector<std::pair<double, double>> values_of(const std::vector<std::string>& arguments) {
  std::vector<std::string> with_format = arguments;
  with_format.insert(with_format.end(), {"--format", "json"});
  const Outcome outcome = validate(with_format);
  INFO(outcome.err);
  std::vector<std::pair<double, double>> values;
  const Json document = Json::parse(outcome.out);
  for (const Json& one : document["groups"][0]["cases"]) values.emplace_back(one["simulated"], one["error"]);
  return values;
}

constexpr std::string_view kReport = R"(L · Latencies
source: by hand
case   GPU  measured  simulated    error  allowed
same  tiny  4 cycles          4   +0.0 %      5 %
near  tiny  5 cycles          4  -20.0 %     25 %
far   tiny  8 cycles          4  -50.0 %      5 %       known, a
good  tiny  4 cycles          4   +0.0 %      5 %  now within, b
4 cases · mean absolute error 17.5 % · correlation -
1 outside of their tolerance, 1 of them known
a: it is far
b: it was far

group         cases  mean absolute error  correlation  within  known  outside
L  Latencies      4               17.5 %            -       3      1        0
)";

}  // namespace

TEST_CASE("The report has each case, and what they come to") {
  const Chains chains;
  const Outcome outcome = validate({chains.suite(R"(
  - {name: same, measured: 4}
  - {name: near, measured: 5, tolerance: 0.25}
  - {name: far, measured: 8, deviates: it is far}
  - {name: good, measured: 4, deviates: it was far}
)")});
  CHECK(without_made_by(outcome.out) == kReport);
  CHECK(outcome.err.empty());
  CHECK(outcome.exit_code == 0);
}

TEST_CASE("A case that is outside of its tolerance makes the exit code 1, unless its suite says why") {
  const Chains chains;
  const Outcome outside = validate({chains.suite("  - {name: far, measured: 5}\n")});
  CHECK(outside.exit_code == 1);
  check_says(outside.out, "outside");
  CHECK(validate({chains.suite("  - {name: far, measured: 5, deviates: old}\n")}).exit_code == 0);
  CHECK(validate({chains.suite("  - {name: far, measured: 5}\n  - {name: near, measured: 4}\n"), "--filter",
                  "near"})
            .exit_code == 0);
}

TEST_CASE("Another latency in a copy of a GPU file moves the errors, as far as the latency says") {
  const Chains chains;
  const std::string suite = chains.suite("  - {name: one, measured: 4}\n  - {name: two, measured: 5}\n");
  const auto check_latency = [](const std::vector<std::pair<double, double>>& values, double latency) {
    REQUIRE(values.size() == 2);
    CHECK(values[0].first == latency);
    CHECK(values[0].second == Approx(latency / 4 - 1));
    CHECK(values[1].second == Approx(latency / 5 - 1));
  };
  check_latency(values_of({suite}), 4);
  check_latency(values_of({suite, "--gpu-dir", chains.changed_gpus(9)}), 9);
  check_latency(values_of({suite, "--gpu", chains.folder().path("tiny.yaml")}), 9);
  check_latency(values_of({suite, "--set", "sm.instructions.fp32.latency=6"}), 6);
  check_latency(values_of({suite, "--gpu", "t4"}), 4);  // 4 on Turing, too
}

TEST_CASE("Runs of suites may be traces, which are replayed as they are, on GPUs whose warps they have") {
  const Chains chains;
  const std::string trace = HEDDLE_SOURCE_DIR "/traces/traced/kernel-1.traceg";
  const auto suite = [&](const std::string& gpu, const std::string& more) {
    return chains.suite(
        fmt::format("  - name: \"{{gpu}}\"\n    gpu: \"{{gpu}}\"\n    measured: 10\n"
                    "    simulated: run.warp_instructions\n"
                    "    runs: {{run: {{launch: '{}'{}}}}}\n"
                    "    columns: [gpu]\n    rows: [[tiny], [{}]]\n",
                    trace, more, gpu));
  };
  const auto values = values_of({suite("h100", "")});
  CHECK(values == std::vector<std::pair<double, double>>{{10, 0}, {10, 0}});
  const Outcome lanes = validate({suite("amd_like", "")});
  CHECK(lanes.exit_code == 2);
  check_says(lanes.err,
             "suite.yaml:14:17: error: GPU 'amd_like' has warps of 64 lanes; those of traces have 32");
  const Outcome params = validate({suite("h100", ", params: {n: 5}")});
  CHECK(params.exit_code == 2);
  check_says(params.err, "kernel-1.traceg is a trace: it has no values and no parameters");
}

TEST_CASE("A series of runs can be searched, and launches' values are figures") {
  const Chains chains;
  chains.folder().write("warps.yaml",
                        "kernel: chains.sass\nentry: many\nvalues: {warps: 1}\ngrid: 1\nblock: 32 * warps\n");
  // One link of each warp every 4 cycles: with 8 warps on the sub-partitions of `tiny`, more than with 1.
  const Outcome outcome = validate({chains.suite(R"(
  - name: search
    measured: 8
    runs: {at: {launch: warps.yaml, params: {warps: w}, each: {w: [1, 8]}}}
    simulated: |
      for w = 1, 8 do
        if w == 8 and at[w].warp_instructions == 8 * at[1].warp_instructions then return at[w].values.warps end
      end
)")});
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
}

TEST_CASE("What a kernel measures by its own clock is a figure: the element of a buffer that has one") {
  const ScratchFolder folder;
  std::string links;  // the clock is read as soon as the last link has issued, not when it has its result
  for (int i = 0; i < 33; ++i) links += "    FFMA R0, R0, 1.5, R0\n";
  folder.write("timed.sass", R"(.kernel timed
.param took ptr
    MOV R0, RZ
    CS2R R2, SR_CLOCKLO
)" + links + R"(
    CS2R R4, SR_CLOCKLO
    IADD3 R4, R4, -R2, RZ
    IMAD.WIDE.U32 R2, RZ, RZ, c[took]
    STG.E [R2.64], R4
    EXIT
)");
  folder.write("timed.yaml", R"(kernel: timed.sass
grid: 1
block: 1
params: {took: took}
buffers: {took: {type: u32, count: 1}, pair: {type: u32, count: 2}}
)");
  const auto simulated = [&](const std::string& figure) {
    return heddle({"validate", folder.write("suite.yaml", R"(group: C
title: Clocks
source: by hand
gpu: tiny
tolerance: 0.05
unit: cycles
runs: {run: {launch: timed.yaml}}
cases: [{name: links, measured: 128, simulated: )" + figure + "}]\n"),
                   "--format", "csv"});
  };
  const Outcome outcome = simulated("run.buffers.took");
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(simulated("run.buffers.pair").exit_code == 2);
}

TEST_CASE("Reports are the same on any number of threads, in a file or not") {
  const Chains chains;
  const std::string suite =
      chains.suite("  - {name: one, measured: 4}\n  - {name: two, measured: 4.1, set: [sms=1]}\n");
  const std::string report = validate({suite, "--threads", "1"}).out;
  CHECK(validate({suite, "--threads", "3"}).out == report);
  const std::string file = chains.folder().path("report");
  const std::string plot = chains.folder().path("plot.svg");
  CHECK(validate({suite, "--output", file, "--plot", plot}).out.empty());
  CHECK(contents_of(file) == report);
  CHECK(contents_of(plot).starts_with("<svg "));
  const std::vector<std::string> csv =
      lines_of(without_provenance_columns(validate({suite, "--format", "csv"}).out));
  REQUIRE(csv.size() == 3);
  CHECK(csv[0] == "group,name,gpu,unit,measured,simulated,error,tolerance,within,deviates");
  CHECK(csv[1] == "L,one,tiny,cycles,4.0,4.0,0.0,0.05,true,");
}

TEST_CASE("What cannot be run is told at once, with exit code 2, before any run") {
  const Chains chains;
  const Outcome missing = validate({chains.suite(R"(
  - {name: one, measured: 4, gpu: tinny}
  - {name: two, measured: 4, set: [sms=0]}
)")});
  CHECK(missing.exit_code == 2);
  check_says(missing.err, "did you mean 'tiny'?");
  check_says(missing.err, "suite.yaml:7:13: error: sms=0: 'sms' must be");
  const Outcome launches = validate(
      {chains.suite("  - {name: one, measured: 4, runs: {few: {launch: few.yaml, params: {n: 3}}}}\n")});
  CHECK(launches.exit_code == 2);
  check_says(launches.err, "has no value 'n'");
  const Outcome several = validate({chains.suite(R"(
  - {name: one, measured: 4, runs: {few: {launch: nowhere.yaml}}}
  - {name: two, measured: 4, runs: {few: {launch: few.yaml, params: {m: 3}}}}
)")});
  CHECK(several.exit_code == 2);
  check_says(several.err, "nowhere.yaml: no such file");
  check_says(several.err, "has no value 'm'");
  CHECK(several.err.find("suite.yaml:") != std::string::npos);
  const Outcome figure = validate({chains.suite("  - {name: one, measured: 4, simulated: few.cycels}\n")});
  CHECK(figure.exit_code == 2);
  check_says(figure.err, "there is no figure 'cycels'; did you mean 'cycles'?");
  const Outcome figures = validate({chains.suite(R"(
  - {name: one, measured: 4, simulated: "many.memory.l1_hit_rat + few.pipes.fma * few.ledgers.issue_slots.isued"}
  - {name: two, measured: 4, runs: {at: {launch: few.yaml, each: {w: [1]}}}, simulated: "at[1 * 1].stalls.barier + at[1].time_us"}
)")});
  CHECK(figures.exit_code == 2);
  for (const char* fragment : {"'memory.l1_hit_rat'; did you mean 'memory.l1_hit_rate'?",
                               "'ledgers.issue_slots.isued'; did you mean 'ledgers.issue_slots.issued'?",
                               "'stalls.barier'; did you mean 'stalls.barrier'?"}) {
    check_says(figures.err, fragment);
  }
  CHECK(figures.err.find("'pipes.fma'") == std::string::npos);
  const std::string suite = chains.suite("  - {name: one, measured: 4}\n");
  check_says(validate({suite, "--filter", "nothing"}).err, "no case has the text of --filter");
  check_says(validate({}).err, "no suite is given");
  check_says(validate({suite, "--measured", "m.json"}).err, "--measured goes with no suites");
}

TEST_CASE("A launch whose results are wrong makes the exit code 1") {
  const Chains chains;
  chains.folder().write("store.sass",
                        ".kernel store\n.param a ptr\n    IMAD.WIDE.U32 R2, RZ, 0x4, c[a]\n    MOV R0, 0x7\n"
                        "    STG.E [R2.64], R0\n    EXIT\n");
  chains.folder().write("store.yaml",
                        "kernel: store.sass\ngrid: 1\nblock: 1\nparams: {a: a}\n"
                        "buffers:\n  a: {type: u32, count: 1}\ncheck:\n  - {buffer: a, equals: 8}\n");
  const Outcome outcome = validate({chains.suite(R"(
  - {name: one, measured: 7, runs: {run: {launch: store.yaml}}, simulated: run.memory.global_store_requests + 6}
)")});
  CHECK(outcome.exit_code == 1);
  check_says(outcome.err, "store.yaml");
  check_says(outcome.err, "check failed");
}

constexpr const char* kMeasured = R"({
  "format": "heddle-measured-1",
  "device": {"name": "NVIDIA H100 PCIe", "compute_capability": "9.0", "sms": 114},
  "kernels": [
    {"name": "vecadd", "launch": "vecadd", "params": {"n": 2560}, "grid": [10, 1, 1], "block": [256, 1, 1],
     "registers": 255, "metrics": {"warp_instructions": 1040, "theoretical_occupancy": 0.125, "stall_barrier": 0}},
    {"name": "saxpy", "launch": "saxpy", "params": {}, "grid": [7, 1, 1], "block": [256, 1, 1], "registers": 8,
     "metrics": {"cycles": 5}},
    {"name": "nothing", "launch": "nothing", "params": {}, "grid": [7, 1, 1], "block": [256, 1, 1], "registers": 8,
     "metrics": {"cycles": 5}}
  ]
})";

TEST_CASE("What was measured on a GPU stands beside the same launches on the GPU file that matches") {
  const ScratchFolder folder;
  const Outcome outcome = validate({"--measured", folder.write("m.json", kMeasured), "--format", "json"});
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  const Json document = Json::parse(outcome.out);
  REQUIRE(document["groups"].size() == 3);
  // 80 warps of 13 instructions; a block of 256 threads with 255 registers each is alone on its SM: 8 of 64
  // warps.
  for (const auto& [group, simulated] :
       {std::pair("warp_instructions", 1040.0), {"theoretical_occupancy", 0.125}, {"stall_barrier", 0.0}}) {
    const auto found = std::find_if(document["groups"].begin(), document["groups"].end(),
                                    [&, name = group](const Json& one) { return one["group"] == name; });
    REQUIRE(found != document["groups"].end());
    const Json& one = (*found)["cases"][0];
    CHECK(one["name"] == "vecadd");
    CHECK(one["gpu"] == "h100-pcie");
    CHECK(one["simulated"] == simulated);
  }
  REQUIRE(document["not_compared"].size() == 2);
  check_says(document["not_compared"][0], "saxpy: its grid was 7 x 1 x 1");
  check_says(document["not_compared"][1], "nothing: there is no launch file");
}

TEST_CASE("A measured GPU that no file is of needs --gpu") {
  const ScratchFolder folder;
  std::string text = kMeasured;
  text.replace(text.find("114"), 3, "115");
  const std::string file = folder.write("m.json", text);
  const Outcome refused = validate({"--measured", file});
  CHECK(refused.exit_code == 2);
  check_says(refused.err,
             "m.json: error: measured on 'NVIDIA H100 PCIe', compute capability 9.0, 115 SMs: no GPU "
             "file is of such a GPU; --gpu names one");
  CHECK(validate({"--measured", file, "--gpu", "h100"}).exit_code == 0);
}

TEST_CASE("A measured file of which nothing can be compared is refused, with what each kernel lacks") {
  const ScratchFolder folder;
  const std::string file = folder.write("m.json", kMeasured);
  const Outcome nothing = validate({"--measured", file, "--launch-dir", folder.path("")});
  CHECK(nothing.exit_code == 2);
  check_says(nothing.err, "m.json: error: nothing of this file can be compared");
  check_says(nothing.err, "m.json: error: vecadd: there is no launch file");
  const Outcome filtered = validate({"--measured", file, "--filter", "no such metric"});
  CHECK(filtered.exit_code == 2);
  check_says(filtered.err, "nothing of this file with the text of --filter can be compared");
}

TEST_CASE("A kernel that the GPU cannot run is left out of the comparison, and told") {
  const ScratchFolder folder;
  const std::string file = folder.write("m.json", R"({
    "format": "heddle-measured-1",
    "device": {"name": "Tesla P100", "compute_capability": "6.0", "sms": 56, "clock_under_load_mhz": 1303},
    "kernels": [
      {"name": "tensor", "launch": "hgemm", "params": {"m": 256, "n": 512}, "grid": [4, 2, 1], "block": [128, 1, 1], "registers": 8,
       "metrics": {"cycles": 5}},
      {"name": "wrong", "launch": "vecadd", "params": {"m": 3}, "grid": [1, 1, 1], "block": [1, 1, 1], "registers": 8,
       "metrics": {"cycles": 5}},
      {"name": "large", "launch": "vecadd", "params": {"n": 65536}, "grid": [256, 1, 1], "block": [256, 1, 1], "registers": 256,
       "metrics": {"cycles": 5}},
      {"name": "sum", "launch": "vecadd", "params": {"n": 65536}, "grid": [256, 1, 1], "block": [256, 1, 1], "registers": 8,
       "metrics": {"warp_instructions": 26624}}
    ]})");
  const Outcome outcome = validate({"--measured", file, "--format", "json"});
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  const Json document = Json::parse(outcome.out);
  REQUIRE(document["groups"].size() == 1);
  check_says(document["groups"][0]["source"],
             "measured on Tesla P100 (compute capability 6.0, 56 SMs, 1303 MHz)");
  REQUIRE(document["groups"][0]["cases"].size() == 1);
  CHECK(document["groups"][0]["cases"][0]["name"] == "sum");
  CHECK(document["groups"][0]["cases"][0]["error"] == 0);
  REQUIRE(document["not_compared"].size() == 3);
  check_says(document["not_compared"][0], "wrong: ");
  check_says(document["not_compared"][0], "has no value 'm'");
  check_says(document["not_compared"][1], "large: it had 256 registers a thread; at most 255 are simulated");
  check_says(document["not_compared"][2], "tensor: ");
}

TEST_CASE("Kernels of a report of Nsight Compute stand beside the launch files that are named for them") {
  const ScratchFolder folder;
  const std::string header =
      "\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"CC\",\"Metric Name\",\"Metric Unit\",\"Metric "
      "Value\"\n";
  const std::string launch = "\"(256, 1, 1)\",\"(4224, 1, 1)\",\"7.5\"";
  const std::string file = folder.write(
      "r.csv",
      fmt::format("{0}\"0\",\"void vecadd<1>(float *)\",{1},\"Executed Instructions\",\"inst\",\"429,000\"\n"
                  "\"1\",\"other\",{1},\"Executed Instructions\",\"inst\",\"439,296\"\n"
                  "\"2\",\"third\",{1},\"Executed Instructions\",\"inst\",\"1\"\n",
                  header, launch));
  const Outcome outcome = validate(
      {"--ncu", file, "traces/vecadd.yaml", "--launch", "other=traces/vecadd.yaml", "--format", "json"});
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  const Json document = Json::parse(outcome.out);
  REQUIRE(document["groups"].size() == 2);
  CHECK(document["groups"][0]["group"] == "vecadd (ID 0)");
  const Json& one = document["groups"][0]["cases"][0];
  CHECK(one["gpu"] == "t4");         // the only file of compute capability 7.5
  CHECK(one["simulated"] == 439296);  // 33792 warps of 13 instructions
  CHECK(document["groups"][1]["cases"][0]["error"] == 0);
  CHECK(document["not_compared"] == Json::array({"third (ID 2): no launch file or trace is given for it"}));
}

}  // namespace heddle::command
