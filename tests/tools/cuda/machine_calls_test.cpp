// Calls of CUDA's own functions in the machine code that nvcc makes: what it prints, asserts and takes from
// the heap is what its PTX does.
#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"
#include "tests/tools/cuda/cuda_program.h"
#include "tools/cuda/process.h"

namespace heddle::cuda {

namespace {

constexpr const char* kProgram = R"(
#include <cassert>
#include <cstdio>
struct Number {
  int value;
  __device__ virtual int twice() const { return 2 * value; }
};
struct Odd : Number {
  __device__ int twice() const override { return 2 * value + 1; }
};
__global__ void work(int rounds) {
  Number* mine = nullptr;
  if (threadIdx.x % 2 == 0) mine = new Number; else mine = new Odd;
  mine->value = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < rounds; ++k)
    if ((threadIdx.x + k) % 5 == 0)
      printf("block %d, thread %3d, round %d: %d %s %5.2f\n", blockIdx.x, threadIdx.x, k, mine->twice(),
             k % 2 == 0 ? "even" : "odd", 0.25 * k);
  delete mine;
}
__global__ void fails(int most) { assert(threadIdx.x < most); }
int main() {
  work<<<3, 50>>>(4);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  fails<<<1, 40>>>(38);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
)";

constexpr const char* kLaunches = R"(
#include <cstdio>
struct Pair { double first; int second; };
__global__ void leaf(int* sums, Pair pair, int place) {
  atomicAdd(sums + place, pair.second + threadIdx.x + static_cast<int>(pair.first));
}
__global__ void branch(int* sums, int depth, int place) {
  if (threadIdx.x != 0) return;
  leaf<<<dim3(2, 3), 5>>>(sums, Pair{1.5 * depth, place}, place);
  if (depth == 0) return;
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  branch<<<1, 32, 0, stream>>>(sums, depth - 1, 2 * place + 1);
  branch<<<1, 32>>>(sums, depth - 1, 2 * place + 2);
  cudaStreamDestroy(stream);
  if (cudaGetLastError() != cudaSuccess) printf("a launch fails\n");
}
int main() {
  constexpr int kPlaces = 31;
  int* sums;
  cudaMallocManaged(&sums, kPlaces * sizeof(int));
  for (int i = 0; i < kPlaces; ++i) sums[i] = 0;
  branch<<<1, 32>>>(sums, 4, 0);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  for (int i = 0; i < kPlaces; ++i) {
    int depth = 4;
    for (int place = i; place != 0; place = (place - 1) / 2) --depth;
    const int expected = 6 * (10 + 5 * (i + static_cast<int>(1.5 * depth)));
    if (sums[i] != expected) std::printf("place %d: %d, not %d\n", i, sums[i], expected);
  }
}
)";

std::vector<std::string> sorted_lines(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  return lines;
}

}  // namespace

TEST_CASE("What nvcc's machine code prints, asserts and takes from the heap is what its PTX does",
          "[.heavy]") {
  const std::string nvcc = nvcc_for_programs();
  if (nvcc.empty()) return;
  const test::ScratchFolder folder;
  const std::string source = folder.write("calls.cu", kProgram);
  const std::string program = folder.path("calls");
  for (const char* linking : {"-rdc=false", "-rdc=true"}) {
    const FinishedProgram made = run_program({nvcc, "-gencode", "arch=compute_80,code=[sm_80,compute_80]",
                                              linking, "-cudart", "shared", "-o", program, source});
    INFO(linking << "\n" << made.errors);
    REQUIRE(made.exit_code == 0);
    const auto run = [&](const char* code) {
      return run_program({HEDDLE_COMMAND, "exec", "--code", code, "--gpu", "a100", "--sms", "2", "--summary",
                          folder.path("summary"), "--", program});
    };
    const FinishedProgram by_ptx = run("ptx");
    const FinishedProgram by_machine = run("machine");
    INFO(by_machine.errors);
    CHECK(sorted_lines(by_machine.output) == sorted_lines(by_ptx.output));
    CHECK(std::ranges::count(by_machine.output, '\n') == 3 * 4 * 10 + 2);
    CHECK_THAT(by_machine.output, Catch::Contains("device-side assert triggered"));
    for (const char* thread : {"[38,0,0]", "[39,0,0]"})
      CHECK_THAT(by_machine.errors,
                 Catch::Contains(std::string("thread: ") + thread + " Assertion `threadIdx.x < most"));
  }
}

TEST_CASE("Kernels launch kernels in nvcc's machine code", "[.heavy]") {
  const std::string nvcc = nvcc_for_programs();
  if (nvcc.empty()) return;
  const test::ScratchFolder folder;
  const std::string source = folder.write("launches.cu", kLaunches);
  const std::string program = folder.path("launches");
  for (const auto& [code, gpu] : {std::pair("75", "t4"), std::pair("80", "a100"), std::pair("90", "h100")}) {
    CAPTURE(code);
    const FinishedProgram made =
        run_program({nvcc, "-std=c++17", "-rdc=true", "-gencode", std::string("arch=compute_") + code + ",code=sm_" + code,
                     "-cudart", "shared", "-o", program, source, "-lcudadevrt"});
    INFO(made.errors);
    REQUIRE(made.exit_code == 0);
    const FinishedProgram ran = run_program({HEDDLE_COMMAND, "exec", "--code", "machine", "--gpu", gpu, "--summary",
                                             folder.path("summary"), "--", program});
    INFO(ran.errors);
    CHECK(ran.output == "no error\n");
  }
}

}  // namespace heddle::cuda
