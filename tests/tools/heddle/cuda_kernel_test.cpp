// CUDA C++ as a kernel file, wherever one is named. Skipped where there is no clang.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "isa/base/diagnostic.h"
#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/heddle/made_by.h"
#include "tests/tools/launch/scratch_folder.h"
#include "tools/cuda/compiler.h"

namespace heddle::command {

namespace {

bool has_compiler() {
  try {
    cuda::find_compiler({});
    return true;
  } catch (const InputError&) {
    WARN("skipped: there is no compiler for CUDA C++; apt install clang");
    return false;
  }
}

constexpr const char* kScale = R"(
#ifndef FACTOR
#define FACTOR 2
#endif
__global__ void scale(const int* from, int* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = FACTOR * from[i] + 1;
}
__global__ void other(int* to) { to[threadIdx.x] = 0; }
)";

constexpr const char* kLaunch = R"(kernel: scale.cu
entry: scale
defines: {FACTOR: 5}
values: {n: 1000, factor: 5}
grid: (n + 127) // 128
block: 128
params: [from, to, n]
buffers:
  from: {type: s32, count: n, fill: ramp}
  to: {type: s32, count: n}
check:
  - {buffer: to, equals: "factor * i + 1"}
)";

struct Files {
  launch::ScratchFolder folder;
  std::string kernel = folder.write("scale.cu", std::string(kScale));
  std::string launch = folder.write("scale.yaml", std::string(kLaunch));
  Surroundings around = {{{"HEDDLE_CACHE", "off"}}};
};

}  // namespace

TEST_CASE("A launch file takes CUDA C++ with its macros, on every generation") {
  if (!has_compiler()) return;
  const Files files;
  for (const char* gpu : {"v100", "a100", "h100"}) {
    const Outcome outcome = heddle({"run", files.launch, "--gpu", gpu}, files.around);
    CAPTURE(gpu, outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, Catch::Contains("a thread (estimated)"));
  }
  // --define wins over the file's
  const Outcome seven =
      heddle({"run", files.launch, "--define", "FACTOR=7", "--param", "factor=7"}, files.around);
  CAPTURE(seven.err);
  CHECK(seven.exit_code == 0);
  CHECK(heddle({"run", files.launch, "-D", "FACTOR=7"}, files.around).exit_code == 1);
}

TEST_CASE("A kernel runs without a launch file") {
  if (!has_compiler()) return;
  const Files files;
  const Outcome outcome =
      heddle({"run", files.kernel, "--entry", "scale", "--grid", "8", "--block", "128", "--args",
              "from=s32[1000]:ramp, to=s32[1000], 1000", "--print", "to[0:4]", "--print", "to[999]"},
             files.around);
  CAPTURE(outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.out, Catch::Contains("to[0:4] = 1 3 5 7\n"));
  CHECK_THAT(outcome.out, Catch::Contains("to[999:1000] = 1999\n"));
  check_refused({"run", files.launch, "--args", "1"}, "--args goes with one kernel file");
  check_refused({"run", files.kernel, "--args", "x=f32[4", "--grid", "1"}, "a bracket is not closed");
}

TEST_CASE("asm shows the IR of CUDA C++") {
  if (!has_compiler()) return;
  const Files files;
  const Outcome outcome = heddle({"asm", files.kernel, "--entry", "scale"}, files.around);
  CAPTURE(outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.out, Catch::Contains("a thread (estimated)"));
  CHECK_THAT(outcome.out, Catch::Contains("IMAD"));
}

TEST_CASE("The compiler's messages pass unchanged, with exit code 2") {
  if (!has_compiler()) return;
  const Files files;
  const std::string bad =
      files.folder.write("scale.cu", "__global__ void scale(int* x) {\n  *x = nothing;\n}\n");
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"asm", bad}, std::vector<std::string>{"run", files.launch}}) {
    const Outcome outcome = heddle(command, files.around);
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.out.empty());
    CHECK(outcome.err.find("scale.cu") < outcome.err.find("nothing"));
    CHECK_THAT(outcome.err, !Catch::Contains("internal error"));
  }
}

TEST_CASE("Without a compiler the message says what to install") {
  const Files files;
  Surroundings around = files.around;
  around.variables.push_back({"PATH", "/nowhere"});
  around.variables.push_back({"HEDDLE_CUDA_COMPILER", ""});
  const Outcome outcome = heddle({"asm", files.kernel}, around);
  CHECK(outcome.exit_code == 2);
  CHECK_THAT(outcome.err, Catch::Contains("apt install clang"));
}

TEST_CASE(
    "Option --code cuda takes the CUDA C++ of an example on the data of its launch, with the same checks") {
  if (!has_compiler()) return;
  const Surroundings around = {{{"HEDDLE_CACHE", "off"}}};
  for (const char* example : {"vecadd", "reduce_v3", "scan_exclusive"}) {
    const Outcome outcome = heddle({"run", example, "--code", "cuda", "--gpu", "tiny"}, around);
    CAPTURE(example, outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, Catch::Contains("a thread (estimated)"));
  }
  check_refused({"run", "vecadd", "--code", "ptx"}, "there is no kernel file");
}

TEST_CASE("A macro is swept, and the launch's expressions follow it") {
  if (!has_compiler()) return;
  const Files files;
  const std::string launch = files.folder.write("block.yaml", std::string(R"(kernel: scale.cu
entry: scale
defines: {FACTOR: 5}
grid: 8
block: 32 * FACTOR
params: [from, to, 256]
buffers:
  from: {type: s32, count: 256, fill: ramp}
  to: {type: s32, count: 256}
check:
  - {buffer: to, equals: "FACTOR * i + 1"}
)"));
  const Outcome outcome =
      heddle({"run", launch, "--sweep", "define.FACTOR=2,4", "--format", "json"}, files.around);
  CAPTURE(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  const auto runs = nlohmann::json::parse(outcome.out);
  REQUIRE(runs.size() == 2);
  CHECK(runs[0]["block"][0] == 64);
  CHECK(runs[1]["block"][0] == 128);
}

TEST_CASE("Option --maxrregcount limits the registers of CUDA C++") {
  if (!has_compiler()) return;
  const Files files;
  const Outcome outcome = heddle({"run", "hgemm", "--code", "cuda", "--maxrregcount", "128", "--param",
                                  "m=128", "--param", "n=128", "--param", "k=32", "--format", "json"},
                                 files.around);
  CAPTURE(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  CHECK(nlohmann::json::parse(outcome.out)["registers_per_thread"] <= 128);
  check_refused({"run", files.launch, "--maxrregcount", "8"}, "must be 16 to 255");
}

TEST_CASE("Option --registers ptxas asks ptxas, or says that there is none") {
  if (!has_compiler()) return;
  const Files files;
  Surroundings around = files.around;
  around.variables.push_back({"HEDDLE_CUDA_COMPILER", cuda::find_compiler({}).path});
  around.variables.push_back({"PATH", "/nowhere"});
  const Outcome without = heddle({"run", files.launch, "--registers", "ptxas"}, around);
  CHECK(without.exit_code == 2);
  CHECK_THAT(without.err, Catch::Contains("there is no ptxas in $PATH"));
  const Outcome sass = heddle({"run", "vecadd", "--registers", "ptxas"}, files.around);
  CHECK(sass.exit_code == 2);
  CHECK_THAT(sass.err, Catch::Contains("goes with PTX and CUDA C++"));
}

TEST_CASE("CUDA C++ comes on standard input, and its mistakes are those of <stdin>") {
  if (!has_compiler()) return;
  const Files files;
  const auto told = [](const std::string& command, const std::string& file) {
    return out_of_shell(fmt::format("HEDDLE_CACHE=off heddle {} < '{}' 2>&1 || true", command, file));
  };
  CHECK_THAT(told("asm - --entry scale", files.kernel), Catch::Contains("IMAD"));
  CHECK_THAT(told("run - --entry scale --grid 8 --block 128 --args 'from=s32[1000]:ramp, to=s32[1000], 1000' "
                  "--print to[0:4]",
                  files.kernel),
             Catch::Contains("to[0:4] = 1 3 5 7\n"));
  const std::string bad =
      files.folder.write("bad.cu", std::string("__global__ void k(int* x) { *x = nothing; }\n"));
  CHECK_THAT(told("asm -", bad), Catch::StartsWith("<stdin>:1:"));
}

}  // namespace heddle::command
