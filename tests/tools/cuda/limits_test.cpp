// heddle exec --totals, --max-cycles and --fail-if, and the variables that say the same. What needs clang
// says so and passes where there is none.
#include <nlohmann/json.hpp>
#include <string>

#include "isa/base/read_file.h"
#include "tests/tools/cuda/cuda_program.h"

namespace heddle::cuda {

namespace {

constexpr const char* kKernels = R"(
template <typename T> __global__ void scale(T* p, int rounds) {
  T x = p[threadIdx.x];
  for (int i = 0; i < rounds; ++i) x = x * 3 + 1;
  p[threadIdx.x] = x;
}
__global__ void other(int* p) { p[threadIdx.x] += 1; }
)";

/// Two kernels, of which one is launched again after a reset. argv[1]: the exit code.
const CudaProgram& program() {
  static const CudaProgram made(std::string("#include <cstdlib>\n") + kKernels + R"(
int main(int count, char** words) {
  for (int round = 0; round < 2; ++round) {
    int* p;
    if (cudaMalloc(&p, 4096) != cudaSuccess) return 9;
    scale<int><<<2, 32>>>(p, 50);
    if (round == 0) other<<<1, 64>>>(p);
    if (cudaDeviceSynchronize() != cudaSuccess) return 8;
    cudaDeviceReset();
  }
  return count > 1 ? std::atoi(words[1]) : 0;
}
)");
  return made;
}

nlohmann::json json_of(const std::string& path) { return nlohmann::json::parse(read_file(path)); }

}  // namespace

TEST_CASE("Totals have each kernel's figures and those of all, over resets, and are their own baseline",
          "[.heavy]") {
  if (!has_clang()) return;
  const test::ScratchFolder folder;
  const std::string totals = folder.path("totals.json");
  const std::string reports = folder.path("reports");
  REQUIRE(program().exec({"--totals", totals, "--report", reports}).exit_code == 0);
  const nlohmann::json all = json_of(totals);
  REQUIRE(all["kernels"].size() == 2);
  const nlohmann::json& scale = all["kernels"][0];
  CHECK(scale["signature"] == "void scale<int>(int*, int)");
  CHECK(scale["calls"] == 2);
  CHECK(scale["timed"] == 2);
  CHECK(all["kernels"][1]["kernel"] == "_Z5otherPi");
  CHECK(all["all"]["timed"] == 3);
  std::uint64_t cycles = 0;
  std::uint64_t instructions = 0;
  std::size_t count = 0;
  for (const auto& file : std::filesystem::directory_iterator(reports)) {
    if (file.path().extension() != ".json") continue;
    const nlohmann::json report = json_of(file.path().string());
    cycles += report["cycles"].get<std::uint64_t>();
    instructions += report["warp_instructions"].get<std::uint64_t>();
    ++count;
  }
  CHECK(count == 3);
  CHECK(all["all"]["cycles"] == cycles);
  CHECK(all["all"]["warp_instructions"] == instructions);
  CHECK(scale["cycles"].get<std::uint64_t>() + all["kernels"][1]["cycles"].get<std::uint64_t>() == cycles);

  CHECK(program().exec({"--fail-if", "cycles != 1 * " + totals}).exit_code == 0);
  const FinishedProgram slower =
      program().exec({"--fail-if", "ipc < 0", "--fail-if", "cycles > 0.5 * " + totals});
  CHECK(slower.exit_code == 4);
  CHECK_THAT(slower.errors, Catch::Contains("heddle: fail-if: 'cycles > 0.5 * ") &&
                                Catch::Contains("' is true: cycles is " + std::to_string(cycles)));
  const FinishedProgram compared = run_program({HEDDLE_COMMAND, "diff", totals, totals});
  CHECK(compared.exit_code == 0);
}

TEST_CASE("The sum of a program's launches has a limit, and a launch that alone takes more is ended",
          "[.heavy]") {
  if (!has_clang()) return;
  const test::ScratchFolder folder;
  const std::string totals = folder.path("totals.json");
  REQUIRE(program().exec({"--totals", totals}).exit_code == 0);
  const auto cycles = json_of(totals)["all"]["cycles"].get<std::uint64_t>();
  CHECK(program().exec({"--max-cycles", std::to_string(cycles)}).exit_code == 0);
  const FinishedProgram over = program().exec({"--max-cycles", std::to_string(cycles - 1)});
  CHECK(over.exit_code == 4);
  CHECK_THAT(over.errors, Catch::Contains("heddle: max-cycles: the program's 3 timed launches took " +
                                          std::to_string(cycles) + " cycles; " + std::to_string(cycles - 1) +
                                          " are allowed\n"));
  const std::string kept = read_file(totals);
  const FinishedProgram cut = program().exec({"--max-cycles", "100", "--totals", totals});
  CHECK(cut.exit_code == 4);
  CHECK_THAT(cut.errors,
             Catch::Contains("cycle limit of 100 reached") &&
                 Catch::Contains("totals.json is not written: a kernel has failed\n") &&
                 Catch::Contains("heddle: max-cycles: a launch alone took more than 100 cycles\n"));
  CHECK(read_file(totals) == kept);
  // The variables say the same, and the program's own code stays if all is well.
  CHECK(program().run({"HEDDLE_MAX_CYCLES=100"}).exit_code == 4);
  CHECK(program().run({"HEDDLE_FAIL_IF=cycles < 5;ipc > 1000"}).exit_code == 0);
  CHECK(program().run({"HEDDLE_FAIL_IF=cycles < 5;ipc < 1000"}).exit_code == 4);
}

TEST_CASE("A limit of which nobody can say whether it holds does not count as kept", "[.heavy]") {
  if (!has_clang()) return;
  const test::ScratchFolder folder;
  const FinishedProgram untimed = program().exec({"--timed", "none", "--fail-if", "cycles > 5"});
  CHECK(untimed.exit_code == 2);
  CHECK_THAT(untimed.errors, Catch::Contains("cannot be decided: no launch was timed"));
  const CudaProgram faulty(program_of("__global__ void put(int* p) { p[1000000] = 1; }\n",
                                      "  put<<<1, 32>>>(nullptr);\n  cudaDeviceSynchronize();\n"));
  const FinishedProgram failed = faulty.exec({"--max-cycles", "1000000"});
  CHECK(failed.exit_code == 3);
  CHECK_THAT(failed.errors, Catch::Contains("cannot be decided: a kernel has failed"));
  const CudaProgram idle(program_of("__global__ void put(int* p) { *p = 1; }\n", ""));
  CHECK(idle.exec({"--max-cycles", "1000000"}).exit_code == 2);
  CHECK(idle.exec({}).exit_code == 0);
}

TEST_CASE("What is wrong with limits is refused before the program starts") {
  const test::ScratchFolder folder;
  const auto refused = [](const std::vector<std::string>& options) {
    std::vector<std::string> command = {HEDDLE_COMMAND, "exec"};
    command.insert(command.end(), options.begin(), options.end());
    command.insert(command.end(), {"--", "echo", "started"});
    const FinishedProgram done = run_program(command);
    CHECK(done.exit_code == 2);
    CHECK(done.output == "");
    return done.errors;
  };
  CHECK_THAT(refused({"--max-cycles", "many"}), Catch::Contains("--max-cycles many"));
  CHECK_THAT(refused({"--fail-if", "cycles > x.json"}), Catch::Contains("--fail-if:1:10: error: "));
  CHECK_THAT(refused({"--totals", folder.path("no/totals.json")}), Catch::Contains("totals.json: error: "));
  const std::string base = folder.write("base.json", R"({"schema_version": 1, "cycles": 3})");
  CHECK_THAT(refused({"--totals", base, "--fail-if", "cycles > 2 * " + base}),
             Catch::Contains("this file is read here, so that it cannot be written, too"));
}

}  // namespace heddle::cuda
