// CUDA C++ as a kernel file, wherever one is named. Skipped where there is no clang.
#include <nlohmann/json.hpp>

#include "isa/base/diagnostic.h"
#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
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

}  // namespace heddle::command
