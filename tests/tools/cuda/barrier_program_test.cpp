// cuda::barrier, cuda::pipeline and cuda::memcpy_async in CUDA programs, by Heddle's own headers.
#include "tests/tools/cuda/cuda_program.h"

namespace heddle::cuda {

namespace {

constexpr const char* kHead = R"(
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <utility>
namespace cg = cooperative_groups;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;
)";

std::string output_of(const std::string& kernels, const std::string& body) {
  const FinishedProgram run = CudaProgram(program_of(kHead + kernels, body)).run();
  CHECK(run.errors == "");
  CHECK(run.exit_code == 0);
  return run.output;
}

}  // namespace

TEST_CASE("cuda::barrier orders what threads store, in parts of a block and of several scopes", "[.heavy]") {
  if (!has_clang()) return;
  const std::string output = output_of(R"(
// Values go round the block, once for each phase.
__global__ void rotate(int* out, int rounds) {
  __shared__ block_barrier bar;
  __shared__ int values[2][128];
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  int value = threadIdx.x;
  for (int round = 0; round < rounds; ++round) {
    values[round % 2][threadIdx.x] = value;
    bar.arrive_and_wait();
    value = values[round % 2][(threadIdx.x + 1) % blockDim.x];
  }
  out[threadIdx.x] = value;
}
// Half of the block produces and arrives, the other half waits; then one thread leaves.
__global__ void halves(int* out) {
  __shared__ block_barrier bar;
  __shared__ int value[64];
  if (threadIdx.x == 0) init(&bar, 128);
  __syncthreads();
  if (threadIdx.x < 64) {
    value[threadIdx.x] = 3 * threadIdx.x;
    block_barrier::arrival_token token = bar.arrive();
    bar.wait(std::move(token));
  } else {
    bar.wait(bar.arrive());
    out[threadIdx.x - 64] = value[127 - threadIdx.x];
  }
  if (threadIdx.x >= 96) {
    bar.arrive_and_drop();
    return;
  }
  bar.arrive_and_wait();
  bar.arrive_and_wait();
  if (threadIdx.x == 0) out[64] = 1;
}
// One thread arrives for several, and an even phase has the parity 0.
__global__ void counted(int* out) {
  __shared__ block_barrier bar;
  if (threadIdx.x == 0) init(&bar, 8);
  __syncthreads();
  if (threadIdx.x == 0) {
    auto token = bar.arrive(5);
    out[0] = bar.try_wait(std::move(token));
    (void)bar.arrive(3);
    out[1] = bar.try_wait_parity(false);
    out[2] = bar.try_wait_parity(true);
  }
}
// A barrier of the device, in global memory, for threads of all blocks; and one that counts its phases.
struct Count {
  int* phases;
  __device__ void operator()() const { ++*phases; }
};
__device__ cuda::barrier<cuda::thread_scope_device> everybody;
__global__ void prepare(int threads) { init(&everybody, threads); }
__global__ void grid(int* values, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int n = gridDim.x * blockDim.x;
  values[i] = i * i;
  everybody.arrive_and_wait();
  out[i] = ((volatile int*)values)[n - 1 - i];
}
__global__ void phases(int* out) {
  using counting = cuda::barrier<cuda::thread_scope_block, Count>;
  alignas(16) __shared__ char storage[sizeof(counting)];
  __shared__ int done;
  counting& bar = *(counting*)storage;
  if (threadIdx.x == 0) {
    done = 0;
    init(&bar, blockDim.x, Count{&done});
  }
  __syncthreads();
  bar.arrive_and_wait();
  const int first = done;
  bar.arrive_and_wait();
  bar.arrive_and_wait();
  out[threadIdx.x] = 10 * first + done;
}
)",
                                       R"(
  int* out;
  check(cudaMallocManaged(&out, 4096));
  rotate<<<1, 96>>>(out, 5);
  check(cudaDeviceSynchronize());
  int wrong = 0;
  for (int i = 0; i < 96; ++i) wrong += out[i] != (i + 5) % 96;
  halves<<<1, 128>>>(out);
  check(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i) wrong += out[i] != 3 * (63 - i);
  wrong += out[64] != 1;
  counted<<<1, 32>>>(out);
  check(cudaDeviceSynchronize());
  std::printf("%d %d %d\n", out[0], out[1], out[2]);
  int* values;
  check(cudaMallocManaged(&values, 4096));
  prepare<<<1, 1>>>(256);
  grid<<<4, 64>>>(values, out);
  check(cudaDeviceSynchronize());
  for (int i = 0; i < 256; ++i) wrong += out[i] != (255 - i) * (255 - i);
  phases<<<1, 64>>>(out);
  check(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i) wrong += out[i] != 13;
  std::printf("%d wrong\n", wrong);
)");
  CHECK(output == "0 1 0\n0 wrong\n");
}

TEST_CASE("cuda::memcpy_async and cuda::pipeline copy ahead of those who read", "[.heavy]") {
  if (!has_clang()) return;
  const std::string output = output_of(R"(
__global__ void by_barrier(const int* in, int* out, int shift) {
  __shared__ block_barrier bar;
  alignas(16) __shared__ int tile[300];
  const cg::thread_block block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&bar, block.size());
  block.sync();
  cuda::memcpy_async(block, tile, in, cuda::aligned_size_t<16>(sizeof(int) * 128), bar);
  cuda::memcpy_async(block, (char*)(tile + 130), (const char*)in + shift, sizeof(int) * 100, bar);
  bar.arrive_and_wait();
  out[threadIdx.x] = tile[127 - threadIdx.x];
  if (threadIdx.x < 100) out[128 + threadIdx.x] = tile[130 + threadIdx.x];
}
constexpr int kTile = 64;
template <int Stages>
__device__ int sum_of(const int* in, int tiles) {
  __shared__ int buffer[Stages][kTile];
  auto pipe = cuda::make_pipeline();
  int sum = 0;
  for (int ahead = 0, tile = 0; tile < tiles; ++tile) {
    for (; ahead < tiles && ahead < tile + Stages; ++ahead) {
      pipe.producer_acquire();
      cuda::memcpy_async(&buffer[ahead % Stages][threadIdx.x], in + ahead * kTile + threadIdx.x, sizeof(int), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += (tile + 1) * buffer[tile % Stages][threadIdx.x];
    pipe.consumer_release();
  }
  return sum;
}
__global__ void by_thread(const int* in, int* out, int tiles) { out[threadIdx.x] = sum_of<3>(in, tiles); }

// All threads of the block copy and read.
__global__ void by_block(const int* in, int* out, int tiles) {
  __shared__ int buffer[2][kTile];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const cg::thread_block block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int sum = 0;
  for (int ahead = 0, tile = 0; tile < tiles; ++tile) {
    for (; ahead < tiles && ahead < tile + 2; ++ahead) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, buffer[ahead % 2], in + ahead * kTile, sizeof(int) * kTile, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += (tile + 1) * buffer[tile % 2][kTile - 1 - threadIdx.x];
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}
// One warp copies for the others.
template <bool ByRole>
__global__ void by_role(const int* in, int* out, int tiles) {
  __shared__ int buffer[2][kTile];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const cg::thread_block block = cg::this_thread_block();
  const bool produces = threadIdx.x < 32;
  auto pipe = ByRole ? cuda::make_pipeline(block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer)
                     : cuda::make_pipeline(block, &state, 32);
  int sum = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    if (produces) {
      pipe.producer_acquire();
      for (int half = 0; half < kTile; half += 32)
        cuda::memcpy_async(&buffer[tile % 2][half + threadIdx.x], in + tile * kTile + half + threadIdx.x, sizeof(int), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      sum += (tile + 1) * buffer[tile % 2][kTile - 1 - (threadIdx.x - 32)];
      pipe.consumer_release();
    }
  }
  pipe.quit();
  if (!produces) out[threadIdx.x - 32] = sum;
}
)",
                                       R"(
  const int tiles = 7;
  int *in, *out;
  check(cudaMallocManaged(&in, 4096));
  check(cudaMallocManaged(&out, 4096));
  for (int i = 0; i < 1024; ++i) in[i] = i * 37 % 1001;
  int wrong = 0;
  for (int shift : {0, 4, 16}) {
    by_barrier<<<1, 128>>>(in, out, shift);
    check(cudaDeviceSynchronize());
    for (int i = 0; i < 128; ++i) wrong += out[i] != in[127 - i];
    for (int i = 0; i < 100; ++i) wrong += out[128 + i] != in[i + shift / 4];
  }
  std::vector<int> sums(kTile);
  for (int tile = 0; tile < tiles; ++tile)
    for (int i = 0; i < kTile; ++i) sums[i] += (tile + 1) * in[tile * kTile + i];
  by_thread<<<1, kTile>>>(in, out, tiles);
  check(cudaDeviceSynchronize());
  for (int i = 0; i < kTile; ++i) wrong += out[i] != sums[i];
  by_block<<<1, kTile>>>(in, out, tiles);
  check(cudaDeviceSynchronize());
  for (int i = 0; i < kTile; ++i) wrong += out[i] != sums[kTile - 1 - i];
  by_role<false><<<1, 32 + kTile>>>(in, out, tiles);
  check(cudaDeviceSynchronize());
  for (int i = 0; i < kTile; ++i) wrong += out[i] != sums[kTile - 1 - i];
  by_role<true><<<1, 32 + kTile>>>(in, out, tiles);
  check(cudaDeviceSynchronize());
  for (int i = 0; i < kTile; ++i) wrong += out[i] != sums[kTile - 1 - i];
  std::printf("%d wrong\n", wrong);
)");
  CHECK(output == "0 wrong\n");
}

}  // namespace heddle::cuda
