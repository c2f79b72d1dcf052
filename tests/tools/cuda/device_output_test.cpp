// printf, assert, malloc and free in kernels. What needs clang says so and passes where there is none.
#include <string>

#include "tests/tools/cuda/cuda_program.h"

namespace heddle::cuda {

TEST_CASE("printf in kernels comes out in the order of threads when the host waits") {
  if (!has_clang()) return;
  const CudaProgram program(program_of(R"(
__device__ const char* const words[] = {"zero", "one", "two"};
__global__ void say(double x) {
  char own[4] = {'b', (char)('0' + blockIdx.x), 0, 0};
  if (threadIdx.x < 3) printf("%s %d: %s, %.1f%c", own, threadIdx.x, words[threadIdx.x], x * threadIdx.x, '\n');
  if (threadIdx.x == 3) printf("no arguments\n");
}
)",
                                       R"(
  say<<<2, 32>>>(1.5);
  std::printf("before\n");
  std::fflush(stdout);
  check(cudaDeviceSynchronize());
  std::printf("between\n");
  std::fflush(stdout);
  say<<<1, 32>>>(2);
  check(cudaDeviceReset());
  std::printf("after\n");
)"));
  const std::string first = "b0 0: zero, 0.0\nb0 1: one, 1.5\nb0 2: two, 3.0\nno arguments\n";
  const std::string second = "b1 0: zero, 0.0\nb1 1: one, 1.5\nb1 2: two, 3.0\nno arguments\n";
  const std::string third = "b0 0: zero, 0.0\nb0 1: one, 2.0\nb0 2: two, 4.0\nno arguments\n";
  const FinishedProgram executed = program.run({"HEDDLE_TIMED=none"});
  CHECK(executed.errors == "");
  CHECK(executed.output == "before\n" + first + second + "between\n" + third + "after\n");
  // Timed, blocks run beside each other, in an order that is always the same.
  const FinishedProgram timed = program.run({"HEDDLE_SMS=1"});
  CHECK(timed.output.size() == executed.output.size());
  CHECK(timed.output == program.run({"HEDDLE_SMS=1", "HEDDLE_THREADS=2"}).output);
}

TEST_CASE("A failed assertion is told of in CUDA's words, and its code stays", "[.heavy]") {
  if (!has_clang()) return;
  const CudaProgram program(program_of(R"(
#include <cassert>
__global__ void checked(int n) {
  if (threadIdx.x == 0) printf("before\n");
  assert((int)threadIdx.x < n);
}
__global__ void trapped() { __trap(); }
)",
                                       R"(
  checked<<<dim3(1, 2), 32>>>(32);
  check(cudaDeviceSynchronize());
  checked<<<dim3(1, 2), 32>>>(31);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  check(cudaDeviceReset());
  trapped<<<1, 32>>>();
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
)"));
  for (const char* timed : {"HEDDLE_TIMED=none", "HEDDLE_TIMED=all"}) {
    const FinishedProgram run = program.run({timed});
    INFO(run.errors);
    CHECK_THAT(run.output,
               Catch::EndsWith("before\ncudaErrorAssert\ncudaErrorAssert\ncudaErrorLaunchFailure\n"));
    CHECK_THAT(run.errors,
               Catch::Contains("program.cu:13: void checked(int): block: [0,") &&
                   Catch::Contains(",0], thread: [31,0,0] Assertion `(int)threadIdx.x < n` failed.\n"));
  }
}

TEST_CASE("malloc in kernels takes from a heap, and what free gives back is taken again", "[.heavy]") {
  if (!has_clang()) return;
  const FinishedProgram run = CudaProgram(program_of(R"(
struct Node { int value; Node* next; };
__global__ void lists(int* sums, int rounds) {
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    Node* first = nullptr;
    for (int i = 0; i < 3; ++i) {
      Node* made = new Node;
      if (made == nullptr) { sums[threadIdx.x] = -1; return; }
      made->value = threadIdx.x + i;
      made->next = first;
      first = made;
    }
    while (first != nullptr) {
      Node* next = first->next;
      sum += first->value;
      delete first;
      first = next;
    }
  }
  sums[threadIdx.x] = sum;
}
__global__ void greedy(void** got) { *got = malloc(64 << 10); }
)",
                                                     R"(
  // 64 threads with three nodes of 32 bytes each at a time; all rounds together would take ten times as much.
  check(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 * 3 * 32));
  int* sums;
  check(cudaMallocManaged(&sums, 64 * sizeof(int)));
  lists<<<1, 64>>>(sums, 10);
  check(cudaDeviceSynchronize());
  int wrong = 0;
  for (int i = 0; i < 64; ++i) wrong += sums[i] != 10 * (3 * i + 3);
  void** got;
  check(cudaMallocManaged(&got, sizeof *got));
  *got = got;
  greedy<<<1, 1>>>(got);
  check(cudaDeviceSynchronize());
  size_t limit = 0;
  check(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
  std::printf("%d wrong, %d, %zu\n", wrong, *got != nullptr, limit);
)"))
                                  .run({"HEDDLE_TIMED=none"});
  CHECK(run.errors == "");
  CHECK(run.output == "0 wrong, 0, 6144\n");
}

TEST_CASE(
    "The heap of malloc has another size until a kernel has used it, and limits that were set can be read",
    "[.heavy]") {
  if (!has_clang()) return;
  const FinishedProgram run = CudaProgram(program_of(R"(
__device__ int bytes = 100;
__global__ void take(void** got) { *got = malloc(bytes); }
__global__ void idle() {}
)",
                                                     R"(
  void** got;
  size_t limit = 0;
  const int most = 16 << 20;
  check(cudaMallocManaged(&got, sizeof *got));
  check(cudaMemcpyToSymbol(bytes, &most, sizeof most));  // the module is there, with a heap of 8 MiB
  idle<<<1, 1>>>();
  check(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20));
  take<<<1, 1>>>(got);
  check(cudaDeviceSynchronize());
  std::printf("%d ", *got != nullptr);
  std::printf("%s ", cudaGetErrorName(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 << 20)));
  check(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
  std::printf("%zu ", limit >> 20);
  check(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
  std::printf("%zu ", limit);
  check(cudaDeviceSetLimit(cudaLimitStackSize, 2048));
  check(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
  std::printf("%zu\n", limit);
)"))
                                  .run({"HEDDLE_TIMED=none"});
  CHECK(run.output == "1 cudaErrorInvalidValue 32 1024 2048\n");
}

TEST_CASE("The last block to finish sees what all others have stored before their fences", "[.heavy]") {
  if (!has_clang()) return;
  const CudaProgram program(program_of(R"(
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ unsigned int finished = 0;
__device__ void reduce(volatile float* data, float own, cg::thread_block block) {
  const int tid = threadIdx.x;
  auto tile = cg::tiled_partition<32>(block);
  data[tid] = own;
  cg::sync(tile);
  for (int i = 16; i > 0; i >>= 1) {
    if ((tid & 31) < i) data[tid] = own += data[tid + i];
    cg::sync(tile);
  }
  cg::sync(block);
  if (tid == 0) {
    float sum = 0;
    for (int i = 0; i < blockDim.x; i += 32) sum += data[i];
    data[0] = sum;
  }
  cg::sync(block);
}
__global__ void sum(const float* in, float* out, int n) {
  extern __shared__ float first[];
  extern __shared__ float again[];
  __shared__ bool is_last;
  cg::thread_block block = cg::this_thread_block();
  float own = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) own += in[i];
  reduce(first, own, block);
  if (threadIdx.x == 0) out[blockIdx.x] = first[0];
  __threadfence();
  if (threadIdx.x == 0) is_last = atomicInc(&finished, gridDim.x) == gridDim.x - 1;
  cg::sync(block);
  if (!is_last) return;
  own = 0;
  for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x) own += out[i];
  reduce(again, own, block);
  if (threadIdx.x == 0) {
    out[0] = again[0];
    finished = 0;
  }
}
)",
                                       R"(
  const int n = 5000;
  float *in, *out;
  check(cudaMallocManaged(&in, n * sizeof(float)));
  check(cudaMallocManaged(&out, 16 * sizeof(float)));
  for (int i = 0; i < n; ++i) in[i] = i % 7;
  for (int round = 0; round < 2; ++round) {
    sum<<<16, 64, 64 * sizeof(float)>>>(in, out, n);
    check(cudaDeviceSynchronize());
    std::printf("%g\n", out[0]);
  }
)"));
  // 714 whole sevens of 0 to 6, and 0 and 1.
  CHECK(program.run({"HEDDLE_TIMED=none"}).output == "14995\n14995\n");
  CHECK(program.run().output == "14995\n14995\n");
}

TEST_CASE("Groups of lanes find their members by rank", "[.heavy]") {
  if (!has_clang()) return;
  const FinishedProgram run = CudaProgram(program_of(R"(
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void ranks(unsigned mask, int* lanes, unsigned* places) {
  places[threadIdx.x] = __fns(0x80f00f01u, threadIdx.x, threadIdx.x % 2 ? 3 : -2);
  if ((mask >> threadIdx.x & 1) == 0) return;
  cg::coalesced_group group = cg::coalesced_threads();
  lanes[threadIdx.x] = group.shfl((int)threadIdx.x, group.size() - 1 - group.thread_rank());
}
)",
                                                     R"(
  const unsigned mask = 0xa5c3810fu, places_of = 0x80f00f01u;
  int* lanes;
  unsigned* places;
  check(cudaMallocManaged(&lanes, 32 * sizeof(int)));
  check(cudaMallocManaged(&places, 32 * sizeof(unsigned)));
  ranks<<<1, 32>>>(mask, lanes, places);
  check(cudaDeviceSynchronize());
  int members[32], count = 0, wrong = 0;
  for (int i = 0; i < 32; ++i) if (mask >> i & 1) members[count++] = i;
  for (int i = 0; i < count; ++i) wrong += lanes[members[i]] != members[count - 1 - i];
  for (int i = 0; i < 32; ++i) {
    int left = i % 2 ? 3 : 2, bit = i;
    for (; bit >= 0 && bit < 32; bit += i % 2 ? 1 : -1) if ((places_of >> bit & 1) != 0 && --left == 0) break;
    wrong += places[i] != (left == 0 ? (unsigned)bit : ~0u);
  }
  std::printf("%d wrong of %d\n", wrong, count);
)"))
                                  .run({"HEDDLE_TIMED=none"});
  CHECK(run.errors == "");
  CHECK(run.output == "0 wrong of 14\n");
}

}  // namespace heddle::cuda
