// What compute capability 9.0 added, and sparse products, in the machine code that nvcc makes: results are those of its PTX.
#include <string>

#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"
#include "tests/tools/cuda/cuda_program.h"
#include "tools/cuda/process.h"

namespace heddle::cuda {

namespace {

constexpr const char* kProgram = R"(
#include <cooperative_groups.h>
#include <cstdint>
#include <cstdio>
#include <cuda/barrier>
#include <vector>
namespace cg = cooperative_groups;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

__device__ uint32_t at(const void* shared) { return static_cast<uint32_t>(__cvta_generic_to_shared(shared)); }

// Two buffers, filled in bulk in turn.
__global__ void bulk(const int* in, int* out, int rounds) {
  __shared__ alignas(128) int buffer[2][1024];
  __shared__ alignas(8) unsigned long long bar[2];
  if (threadIdx.x == 0) {
    for (int i = 0; i < 2; ++i) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at(bar + i)));
    asm volatile("fence.proxy.async.shared::cta;");
  }
  __syncthreads();
  const auto load = [&](int round) {
    if (threadIdx.x != 0) return;
    const int slot = round & 1;
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 4096;" ::"r"(at(bar + slot)));
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 4096, [%2];" ::"r"(at(buffer[slot])),
        "l"(in + 1024 * round), "r"(at(bar + slot)) : "memory");
  };
  load(0);
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    if (round + 1 < rounds) load(round + 1);
    asm volatile(
        "{.reg .pred p;\nagain%=: mbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n@!p bra again%=;\n}" ::"r"(
            at(bar + (round & 1))), "r"(round >> 1 & 1) : "memory");
    for (int k = threadIdx.x; k < 1024; k += blockDim.x) sum += buffer[round & 1][k] * (round + 1);
    __syncthreads();
  }
  buffer[0][threadIdx.x] = sum;
  asm volatile("fence.proxy.async.shared::cta;");
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out), "r"(at(buffer[0])),
                 "r"(4 * blockDim.x) : "memory");
    asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
  }
}

__global__ void lanes(const int* in, int* out) {
  __shared__ int buffer[256];
  __shared__ Barrier bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(buffer + threadIdx.x, in + threadIdx.x, sizeof(int), bar);
  bar.arrive_and_wait();
  out[threadIdx.x] = buffer[blockDim.x - 1 - threadIdx.x];
  if (threadIdx.x % 3 == 0) bar.arrive_and_drop();
  if (threadIdx.x % 3 != 0) bar.arrive_and_wait();
}

__global__ void cluster(int* out) {
  __shared__ int x[64];
  auto group = cg::this_cluster();
  x[threadIdx.x] = 3 * threadIdx.x;
  group.sync();
  int* mapped = group.map_shared_rank(x, 0);
  atomicAdd(mapped + (threadIdx.x ^ 33), 1000);
  group.sync();
  out[threadIdx.x] = x[threadIdx.x] + 10000 * group.num_blocks() + 100000 * group.block_rank();
}

__global__ void matrices(const int* in, int* out) {
  __shared__ alignas(16) uint16_t tile[1024];
  unsigned leader, first;
  asm volatile("{.reg .pred p;\nelect.sync %0|p, -1;\nselp.u32 %1, 1, 0, p;\n}" : "=r"(leader), "=r"(first));
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(at(tile + 8 * threadIdx.x)),
               "r"(in[threadIdx.x]), "r"(in[32 + threadIdx.x]), "r"(in[64 + threadIdx.x]), "r"(in[96 + threadIdx.x]));
  asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(at(tile + 512 + 8 * threadIdx.x)),
               "r"(in[128 + threadIdx.x]), "r"(in[160 + threadIdx.x]) : "memory");
  int d[4] = {1, 2, 3, 4};
  asm volatile(
      "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {%0, %1, %2, %3}, {%4, %5}, {%6, %7}, "
      "{%0, %1, %2, %3}, %8, 1;" : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
      : "r"(in[threadIdx.x]), "r"(in[threadIdx.x + 32]), "r"(in[threadIdx.x + 64]), "r"(in[threadIdx.x + 96]),
        "r"(threadIdx.x % 2 == 0 ? 0x4d8e94c9 : 0xe4d9c84e));
  __syncwarp();
  for (int i = 0; i < 4; ++i) out[32 * i + threadIdx.x] = d[i];
  for (int i = 0; i < 24; ++i) out[128 + 32 * i + threadIdx.x] = tile[32 * i + threadIdx.x];
  out[1000 - threadIdx.x % 8] = leader + 2 * first;
}

int main() {
  int *in, *out;
  std::vector<int> numbers(8192), found(1024);
  unsigned state = 1;
  for (int& number : numbers) number = state = state * 1664525 + 1013904223;
  cudaMalloc(&in, 32768);
  cudaMalloc(&out, 4096);
  cudaMemcpy(in, numbers.data(), 32768, cudaMemcpyHostToDevice);
  const auto show = [&](const char* name) {
    const cudaError_t error = cudaMemcpy(found.data(), out, 4096, cudaMemcpyDeviceToHost);
    unsigned long long sum = 0;
    for (int each : found) sum = sum * 31 + static_cast<unsigned>(each);
    std::printf("%s: %s %llx\n", name, cudaGetErrorString(error), sum);
    cudaMemset(out, 0, 4096);
  };
  cudaMemset(out, 0, 4096);
  for (int rounds : {1, 2, 3, 8}) {
    bulk<<<1, 128>>>(in, out, rounds);
    show("bulk");
    bool is_right = true;
    bulk<<<1, 128>>>(in, out, rounds);
    cudaMemcpy(found.data(), out, 4096, cudaMemcpyDeviceToHost);
    for (int t = 0; t < 128; ++t) {
      unsigned sum = 0;
      for (int round = 0; round < rounds; ++round)
        for (int k = t; k < 1024; k += 128) sum += static_cast<unsigned>(numbers[1024 * round + k]) * (round + 1);
      is_right = is_right && static_cast<unsigned>(found[t]) == sum;
    }
    std::printf("%s\n", is_right ? "right" : "wrong");
  }
  lanes<<<1, 256>>>(in, out);
  show("lanes");
  cluster<<<2, 64>>>(out);
  show("cluster");
  matrices<<<1, 32>>>(in, out);
  show("matrices");
}
)";

}  // namespace

TEST_CASE("Mbarriers, bulk copies, clusters and matrices of 9.0 do in machine code what they do in PTX", "[.heavy]") {
  const std::string nvcc = nvcc_for_programs();
  if (nvcc.empty()) return;
  const test::ScratchFolder folder;
  const std::string source = folder.write("hopper.cu", kProgram);
  const std::string program = folder.path("hopper");
  const FinishedProgram made =
      run_program({nvcc, "-std=c++17", "-gencode", "arch=compute_90,code=[sm_90,compute_90]", "-cudart", "shared", "-o",
                   program, source});
  INFO(made.errors);
  REQUIRE(made.exit_code == 0);
  const auto run = [&](const char* code) {
    return run_program({HEDDLE_COMMAND, "exec", "--code", code, "--gpu", "h100", "--sms", "2", "--summary",
                        folder.path("summary"), "--", program});
  };
  const FinishedProgram by_ptx = run("ptx");
  const FinishedProgram by_machine = run("machine");
  INFO(by_machine.errors);
  CHECK(by_machine.output == by_ptx.output);
  CHECK_THAT(by_machine.output, !Catch::Contains("wrong") && Catch::Contains("matrices: no error"));
}

}  // namespace heddle::cuda
