// `heddle validate --ncu` with kernel traces: which launch of a report is held against which trace.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/launch/messages.h"
#include "tests/tools/launch/scratch_folder.h"

namespace heddle::command {

namespace {

using launch::check_says;
using launch::ScratchFolder;
using Json = nlohmann::json;

struct Launch {
  const char* kernel;
  unsigned grid;
  unsigned block;
  double instructions;  ///< 0: nothing was measured that the model has, too.
};

/// As the details page of ncu --csv has them.
std::string report_of(const std::vector<Launch>& launches) {
  std::string text =
      "\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"CC\",\"Metric Name\",\"Metric Unit\",\"Metric "
      "Value\"\n";
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const Launch& one = launches[i];
    for (const auto& [metric, value] :
         {std::pair(one.instructions > 0 ? "Executed Instructions" : "Waves Per SM", one.instructions),
          {"Elapsed Cycles", 1.0}}) {
      if (one.instructions == 0 && metric == std::string_view("Elapsed Cycles")) continue;
      text += fmt::format("\"{}\",\"{}\",\"({}, 1, 1)\",\"({}, 1, 1)\",\"8.0\",\"{}\",\"\",\"{}\"\n", i,
                          one.kernel, one.block, one.grid, metric, value);
    }
  }
  return text;
}

Outcome validate(const ScratchFolder& folder, const std::vector<Launch>& launches,
                 std::vector<std::string> rest) {
  rest.insert(rest.begin(),
              {"validate", "--ncu", folder.write("r.csv", report_of(launches)), "--format", "json"});
  if (std::find(rest.begin(), rest.end(), "--gpu") == rest.end()) rest.insert(rest.end(), {"--gpu", "a100"});
  return heddle(rest);
}

/// The simulated value of the group's case.
double simulated(const Json& group, const std::string& name) {
  for (const Json& one : group["cases"]) {
    if (one["name"] == name) return one["simulated"];
  }
  FAIL("there is no " << name);
  return 0;
}

/// A trace of so many instructions of one warp, of a kernel with this name as it is linked.
std::string trace_of(const std::string& kernel, unsigned instructions) {
  std::string text = fmt::format(R"(-kernel name = {}
-kernel id = 1
-grid dim = (1,1,1)
-block dim = (32,1,1)
-shmem = 0
-nregs = 8
-binary version = 80
-cuda stream id = 0
-shmem base_addr = 0x00007f5e00000000
-local mem base_addr = 0x00007f5ddd000000
-nvbit version = 1.7
-accelsim tracer version = 5
-enable lineinfo = 0

#traces format = x immediate

#BEGIN_TB

thread block = 0,0,0

warp = 0
insts = {}
)",
                                 kernel, instructions);
  for (unsigned i = 0; i + 1 < instructions; ++i) {
    text += fmt::format("{:04x} ffffffff 1 R1 IADD3 1 R1 0 0\n", 16 * i);
  }
  return text + fmt::format("{:04x} ffffffff 0 EXIT 0 0 0\n\n#END_TB\n", 16 * (instructions - 1));
}

}  // namespace

TEST_CASE("Traces stand beside the launches of a report: what they count, and as they run") {
  const ScratchFolder folder;
  const Outcome outcome =
      validate(folder, {{"void ns::vecadd<1>(float *)", 4, 256, 1}}, {"traces/recorded/kernelslist.g"});
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  const Json report = Json::parse(outcome.out);
  REQUIRE(report["groups"].size() == 1);
  // The recording is of this very launch, and replays to the byte.
  const Outcome run =
      heddle({"run", "traces/vecadd.yaml", "--param", "n=1000", "--gpu", "a100", "--format", "json"});
  REQUIRE(run.exit_code == 0);
  const Json expected = Json::parse(run.out);
  CHECK(simulated(report["groups"][0], "elapsed cycles") == expected["cycles"].get<double>());
  CHECK(simulated(report["groups"][0], "executed warp instructions") ==
        expected["warp_instructions"].get<double>());
}

TEST_CASE(
    "Cells of a report that mean nothing are told with their line, and none is taken for another number") {
  const ScratchFolder folder;
  const auto mistake = [&](const std::string& unit, const std::string& value,
                           const std::string& grid = "(4224, 1, 1)", const std::string& metric = "Duration") {
    const std::string report = folder.write(
        "r.csv",
        fmt::format("\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"CC\",\"Metric Name\",\"Metric "
                    "Unit\",\"Metric "
                    "Value\"\n\"0\",\"vecadd\",\"(256, 1, 1)\",\"{}\",\"8.0\",\"{}\",\"{}\",\"{}\"\n",
                    grid, metric, unit, value));
    const Outcome outcome = heddle({"validate", "--ncu", report, "traces/vecadd.yaml", "--gpu", "a100"});
    return outcome.exit_code == 2 ? outcome.err : "";
  };
  CHECK(mistake("us", "1,024.5").empty());
  CHECK(mistake("us", "n/a").find("number") == std::string::npos);
  for (const char* value : {"4.5 abc", "12..3", "1e999", "4,5", "1.024,5", ",024", "-416"}) {
    check_says(mistake("us", value),
               fmt::format("r.csv:2: error: 'Duration': found '{}', which is not a number", value));
  }
  CHECK(mistake("us", "4", "(4224, 1, 1)", "Achieved Occupancy").find("unit") != std::string::npos);
  CHECK(mistake("%", "100", "(4224, 1, 1)", "Achieved Occupancy").empty());
  check_says(mistake("%", "120", "(4224, 1, 1)", "Achieved Occupancy"),
             "r.csv:2: error: 'Achieved Occupancy': found '120 %', which is not at most 110 %");
  check_says(mistake("parsec", "4"), "'Duration': found 'parsec', which is not a unit for it");
  check_says(mistake("%", "4"), "'Duration': found '%', which is not a unit for it");
  check_says(mistake("us", "4", "garbage"), "'Grid Size': found 'garbage', which is not three numbers");
}

TEST_CASE("Launches of one name are matched with traces in the order of both, by grid and block") {
  const ScratchFolder folder;
  folder.write("kernel-1.traceg", trace_of("_ZN2ns4workEPfi", 3));
  folder.write("kernel-2.traceg", trace_of("_ZN2ns4workEPfi", 7));
  folder.write("kernel-3.traceg", trace_of("_Z5otherv", 5));
  const std::string list =
      folder.write("kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\nkernel-3.traceg\n");
  const Outcome outcome = validate(folder,
                                   {{"work(float *, int)", 1, 32, 3},
                                    {"work(float *, int)", 2, 32, 3},  // of another grid
                                    {"_ZN2ns4workEPfi", 1, 32, 7},
                                    {"work(float *, int)", 1, 32, 9},
                                    {"third", 1, 32, 1}},
                                   {list});
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  const Json report = Json::parse(outcome.out);
  REQUIRE(report["groups"].size() == 2);
  CHECK(report["groups"][0]["group"] == "work (ID 0)");
  CHECK(report["groups"][1]["group"] == "work (ID 2)");
  CHECK(simulated(report["groups"][0], "executed warp instructions") == 3);
  CHECK(simulated(report["groups"][1], "executed warp instructions") == 7);
  REQUIRE(report["not_compared"].size() == 4);
  check_says(report["not_compared"][0], "work(float *, int) (ID 1): its grid was 2 x 1 x 1, that of ");
  check_says(report["not_compared"][1],
             "work(float *, int) (ID 3): the report has more launches of it than there are traces");
  check_says(report["not_compared"][2], "third (ID 4): no launch file or trace is given for it");
  check_says(report["not_compared"][3],
             "kernel-3.traceg: the report has no launch of other that is this one");
}

TEST_CASE("A launch without a metric that is known takes its trace all the same") {
  const ScratchFolder folder;
  folder.write("kernel-1.traceg", trace_of("work", 3));
  folder.write("kernel-2.traceg", trace_of("work", 7));
  const Outcome outcome = validate(folder, {{"work", 1, 32, 0}, {"work", 1, 32, 7}},
                                   {folder.write("kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\n")});
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  const Json report = Json::parse(outcome.out);
  REQUIRE(report["groups"].size() == 1);
  CHECK(report["groups"][0]["group"] == "work (ID 1)");
  CHECK(simulated(report["groups"][0], "executed warp instructions") == 7);
  CHECK(report["not_compared"] == Json::array({"work (ID 0): it has no metric that the model has, too"}));
}

TEST_CASE(
    "Launch files for kernels that the report does not have are told, and files that are none refused") {
  const ScratchFolder folder;
  const Outcome outcome =
      validate(folder, {{"vecadd", 4224, 256, 439296}},
               {"traces/vecadd.yaml", "traces/saxpy.yaml", "--launch", "gemm=traces/matmul_v2.yaml"});
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  CHECK(Json::parse(outcome.out)["not_compared"] ==
        Json::array({"--launch gemm=traces/matmul_v2.yaml: the report has no launch of gemm",
                     "traces/saxpy.yaml: the report has no launch of saxpy"}));
  const Outcome missing = validate(folder, {{"vecadd", 4224, 256, 439296}},
                                   {"traces/vecadd.yaml", "--launch", "gemm=nowhere.yaml"});
  CHECK(missing.exit_code == 2);
  check_says(missing.err, "nowhere.yaml: error: no such file");
}

TEST_CASE("A metric that is given twice has one value") {
  const ScratchFolder folder;
  const auto refusal = [&](const std::string& again) {
    const std::string head =
        "\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"CC\",\"Metric Name\",\"Metric Unit\",\"Metric "
        "Value\"\n";
    const std::string row = "\"0\",\"vecadd\",\"(256, 1, 1)\",\"(4224, 1, 1)\",\"8.0\",\"Duration\",";
    const std::string file = folder.write("r.csv", head + row + "\"us\",\"4.5\"\n" + row + again + "\n");
    const Outcome outcome = heddle({"validate", "--ncu", file, "traces/vecadd.yaml", "--gpu", "a100"});
    return outcome.exit_code == 2 ? outcome.err : "";
  };
  CHECK(refusal("\"us\",\"4.5\"").empty());
  CHECK(refusal("\"ns\",\"4,500\"").empty());
  check_says(refusal("\"us\",\"5.5\""),
             "r.csv:3: error: 'Duration': found '5.5', which is not what the report says of it before");
}

TEST_CASE("A launch file goes before a trace of its kernel") {
  const ScratchFolder folder;
  const Outcome outcome = validate(folder, {{"vecadd", 4224, 256, 439296}},
                                   {"traces/traced/kernel-2.traceg", "traces/vecadd.yaml"});
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  const Json report = Json::parse(outcome.out);
  CHECK(simulated(report["groups"][0], "executed warp instructions") ==
        439296);  // 33792 warps of 13 instructions
}

TEST_CASE("A report of which no launch has a partner is refused, with what each lacks") {
  const ScratchFolder folder;
  const Outcome none =
      validate(folder, {{"third", 1, 32, 1}, {"vecadd", 5, 64, 1}}, {"traces/traced/kernelslist.g"});
  CHECK(none.exit_code == 2);
  check_says(none.err, "r.csv: error: nothing of this file can be compared");
  check_says(none.err, "third (ID 0): no launch file or trace is given for it");
  check_says(none.err,
             "vecadd (ID 1): its grid was 5 x 1 x 1, that of traces/traced/kernel-2.traceg is 4 x 1 x 1");
  check_says(none.err, "traces/traced/kernel-1.traceg: the report has no launch of chain that is this one");

  const std::string others =
      "\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"CC\",\"Metric Name\",\"Metric Unit\",\"Metric "
      "Value\"\n"
      "\"0\",\"vecadd\",\"(256, 1, 1)\",\"(256, 1, 1)\",\"8.0\",\"Waves Per SM\",\"\",\"1\"\n";
  const Outcome unknown =
      heddle({"validate", "--ncu", folder.write("o.csv", others), "traces/vecadd.yaml", "--gpu", "a100"});
  CHECK(unknown.exit_code == 2);
  check_says(unknown.err, "vecadd (ID 0): it has no metric that the model has, too");

  check_says(validate(folder, {{"chain", 1, 32, 1}}, {}).err,
             "--ncu needs the launch files or traces of its kernels");
  const Outcome missing = validate(folder, {{"chain", 1, 32, 1}}, {"traces/traced/kernel-9.traceg"});
  CHECK(missing.exit_code == 2);
  check_says(missing.err, "kernel-9.traceg: error: the file cannot be opened");
  const Outcome lanes =
      validate(folder, {{"chain", 1, 32, 1}}, {"traces/traced/kernel-1.traceg", "--gpu", "amd_like"});
  CHECK(lanes.exit_code == 2);
  check_says(lanes.err, "GPU 'amd_like' has warps of 64 lanes; those of traces have 32");
}

}  // namespace heddle::command
