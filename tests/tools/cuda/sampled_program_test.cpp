// Programs of which some launches are timed for all: what they compute stays, what they take is estimated.
#include <cmath>
#include <nlohmann/json.hpp>

#include "isa/base/read_file.h"
#include "tests/tools/cuda/cuda_program.h"

namespace heddle::cuda {

namespace {

/// Sweeps over two arrays, each behind the other's, and a kernel whose work differs from launch to launch.
/// Prints a sum and the milliseconds between two events.
constexpr const char* kKernels = R"(
__global__ void sweep(const int* from, int* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i] + from[(i + 1) % n] % 7;
}
__global__ void grow(int* x, int rounds) {
  int value = x[threadIdx.x];
  for (int i = 0; i < rounds; ++i) value = value * 5 + 1;
  x[threadIdx.x] = value;
}
)";
constexpr const char* kBody = R"(
  const int n = 2048;
  int *a, *b;
  check(cudaMalloc(&a, n * 4));
  check(cudaMalloc(&b, n * 4));
  std::vector<int> host(n);
  for (int i = 0; i < n; ++i) host[i] = i;
  check(cudaMemcpy(a, host.data(), n * 4, cudaMemcpyHostToDevice));
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  check(cudaEventRecord(begin));
  for (int i = 0; i < 300; ++i) {
    sweep<<<n / 128, 128>>>(a, b, n);
    sweep<<<n / 128, 128>>>(b, a, n);
    grow<<<1, 64>>>(a, 20 + i * 7 % 30);
  }
  check(cudaEventRecord(end));
  check(cudaMemcpy(host.data(), a, n * 4, cudaMemcpyDeviceToHost));
  float ms = 0;
  check(cudaEventElapsedTime(&ms, begin, end));
  unsigned sum = 0;
  for (int value : host) sum = sum * 31 + value;
  std::printf("%u %.6f\n", sum, ms);
)";

struct Outcome {
  std::string sum;
  double ms = 0;
  nlohmann::json all;
  std::string table;
};

Outcome run(const CudaProgram& program, const std::string& timed) {
  const std::string totals = program.folder.path(timed + ".json");
  const FinishedProgram done = run_program(
      {HEDDLE_COMMAND, "exec", "--gpu", "tiny", "--timed", timed, "--totals", totals, program.path()});
  INFO(done.errors);
  REQUIRE(done.exit_code == 0);
  const std::size_t blank = done.output.find(' ');
  REQUIRE(blank != std::string::npos);
  return {done.output.substr(0, blank), std::stod(done.output.substr(blank)),
          nlohmann::json::parse(read_file(totals)).at("all"), done.errors};
}

}  // namespace

TEST_CASE("A sample of a program's launches has its results, and its time within the interval") {
  if (!has_clang() || !has_plain_library()) return;
  const CudaProgram program(program_of(kKernels, kBody));
  const Outcome whole = run(program, "all");
  const Outcome sample = run(program, "sample");
  CHECK(sample.sum == whole.sum);
  CHECK(std::abs(sample.ms / whole.ms - 1) < 0.03);  // by the program's own clock

  const auto& estimate = sample.all.at("sampled_launches");
  CHECK(estimate.at("launches") == 900);
  CHECK(estimate.at("timed") < 250);
  const double cycles = whole.all.at("cycles");
  CHECK(std::abs(estimate.at("cycles").get<double>() / cycles - 1) < 0.03);
  CHECK(estimate.at("cycles_least").get<double>() <= cycles);
  CHECK(estimate.at("cycles_most").get<double>() >= cycles);
  CHECK_FALSE(whole.all.contains("sampled_launches"));
  CHECK(sample.table.find("of 900 launches were timed") != std::string::npos);
}

TEST_CASE(
    "A sample does not go with limits, nor with checks that time nothing, nor with a list of launches") {
  if (!has_clang() || !has_plain_library()) return;
  const CudaProgram program(program_of("", "check(cudaFree(nullptr));"));
  const auto refusal = [&](const std::vector<std::string>& options) {
    std::vector<std::string> words = {HEDDLE_COMMAND, "exec", "--gpu", "tiny"};
    words.insert(words.end(), options.begin(), options.end());
    words.push_back(program.path());
    const FinishedProgram done = run_program(words);
    return done.output + done.errors;
  };
  CHECK(refusal({"--timed", "sample", "--max-cycles", "5"}).find("a sample has none") != std::string::npos);
  CHECK(refusal({"--timed", "sample", "--check", "races"}).find("HEDDLE_CHECK allows none") !=
        std::string::npos);
  CHECK(refusal({"--timed", "sample,3"}).find("'sample' stands alone") != std::string::npos);
}

}  // namespace heddle::cuda
