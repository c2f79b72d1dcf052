// A product of matrices as libraries write it for compute capability 9.0: tiles of tensors, warpgroups' products.
#include <string>

#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"
#include "tests/tools/cuda/cuda_program.h"
#include "tools/cuda/process.h"

namespace heddle::cuda {

namespace {

constexpr const char* kProgram = R"CUDA(
#include <cuda.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <vector>

constexpr int kTile = 64;

__device__ uint32_t at(const void* shared) { return static_cast<uint32_t>(__cvta_generic_to_shared(shared)); }

__device__ uint64_t descriptor(const void* tile) {
  return uint64_t{1} << 62 | uint64_t{1024 / 16} << 32 | uint64_t{1} << 16 | (at(tile) & 0x3ffff) >> 4;
}

__device__ void load(void* tile, const CUtensorMap* map, int x, int y, const void* bar) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(at(tile)),
      "l"(map), "r"(x), "r"(y), "r"(at(bar)) : "memory");
}

// C = A B^T: a tile of 64 x 64 by a warpgroup, tiles of 64 along K in two buffers.
__global__ void multiply(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
                         const __grid_constant__ CUtensorMap c, int depth) {
  __shared__ alignas(1024) __half left[2][kTile * kTile], right[2][kTile * kTile];
  __shared__ alignas(128) float sums[kTile * kTile];
  __shared__ alignas(8) uint64_t bar[2];
  if (threadIdx.x == 0) {
    asm volatile("prefetch.tensormap [%0];" ::"l"(&a));
    for (int i = 0; i < 2; ++i) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at(bar + i)));
    asm volatile("fence.proxy.async.shared::cta;");
  }
  __syncthreads();
  const auto fill = [&](int round) {
    const int slot = round & 1;
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(at(bar + slot)), "r"(2 * kTile * kTile * 2));
    load(left[slot], &a, round * kTile, blockIdx.y * kTile, bar + slot);
    load(right[slot], &b, round * kTile, blockIdx.x * kTile, bar + slot);
  };
  const int rounds = depth / kTile;
  if (threadIdx.x == 0) fill(0);
  float d[32];
  for (int round = 0; round < rounds; ++round) {
    const int slot = round & 1;
    if (threadIdx.x == 0 && round + 1 < rounds) fill(round + 1);
    asm volatile("{.reg .pred p;\nagain%=: mbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n@!p bra again%=;\n}" ::"r"(
                     at(bar + slot)), "r"(round >> 1 & 1) : "memory");
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (int k = 0; k < kTile; k += 16) {
      const int adds = round != 0 || k != 0;
      asm volatile(
          "{.reg .pred p;\nsetp.ne.b32 p, %34, 0;\n"
          "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,"
          "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}, %32, %33, p, 1, 1, 0, 0;\n}"
          : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]),
            "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]),
            "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]),
            "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
          : "l"(descriptor(left[slot] + k)), "l"(descriptor(right[slot] + k)), "r"(adds));
    }
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
    __syncthreads();
  }
  const int row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4;
  for (int i = 0; i < 32; ++i)
    sums[(row + i / 2 % 2 * 8) * kTile + i / 4 * 8 + threadIdx.x % 4 * 2 + i % 2] = d[i];
  asm volatile("fence.proxy.async.shared::cta;");
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&c),
                 "r"(blockIdx.x * kTile), "r"(blockIdx.y * kTile), "r"(at(sums)) : "memory");
    asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
  }
}

using Encode = CUresult (*)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*, const cuuint64_t*,
                            const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave, CUtensorMapSwizzle,
                            CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

CUtensorMap map_of(Encode encode, CUtensorMapDataType type, void* data, int width, int height, int bytes,
                   CUtensorMapSwizzle swizzle) {
  CUtensorMap map{};
  const cuuint64_t sizes[] = {cuuint64_t(width), cuuint64_t(height)};
  const cuuint64_t strides[] = {cuuint64_t(width) * bytes};
  const cuuint32_t box[] = {kTile, kTile};
  const cuuint32_t steps[] = {1, 1};
  const CUresult result = encode(&map, type, 2, data, sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                                 CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) std::printf("encoding fails with %d\n", result);
  return map;
}

int main() {
  const int rows = 100, columns = 136, depth = 192;  // no multiples of tiles but along K
  std::vector<__half> a(rows * depth), b(columns * depth);
  for (int i = 0; i < rows * depth; ++i) a[i] = __half(float(i * 7 % 11 - 5));
  for (int i = 0; i < columns * depth; ++i) b[i] = __half(float(i * 5 % 13 - 6));
  void *da, *db, *dc;
  cudaMalloc(&da, a.size() * 2);
  cudaMalloc(&db, b.size() * 2);
  cudaMalloc(&dc, rows * columns * 4);
  cudaMemcpy(da, a.data(), a.size() * 2, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), b.size() * 2, cudaMemcpyHostToDevice);
  void* found = nullptr;
  cudaDriverEntryPointQueryResult status;
  cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &status);
  if (status != cudaDriverEntryPointSuccess) return std::printf("no cuTensorMapEncodeTiled\n"), 1;
  const auto encode = reinterpret_cast<Encode>(found);
  const auto half = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
  multiply<<<dim3((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile), 128>>>(
      map_of(encode, half, da, depth, rows, 2, CU_TENSOR_MAP_SWIZZLE_128B),
      map_of(encode, half, db, depth, columns, 2, CU_TENSOR_MAP_SWIZZLE_128B),
      map_of(encode, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, dc, columns, rows, 4, CU_TENSOR_MAP_SWIZZLE_NONE), depth);
  std::printf("product: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  std::vector<float> c(rows * columns);
  cudaMemcpy(c.data(), dc, c.size() * 4, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      float sum = 0;
      for (int k = 0; k < depth; ++k) sum += float(a[i * depth + k]) * float(b[j * depth + k]);
      wrong += c[i * columns + j] != sum;
    }
  std::printf("%d elements differ\n", wrong);
  return wrong != 0;
}
)CUDA";

}  // namespace

TEST_CASE("A product by tensor maps and warpgroups equals the CPU's in nvcc's machine code, with and without time",
          "[.heavy]") {
  const std::string nvcc = nvcc_for_programs();
  if (nvcc.empty()) return;
  const test::ScratchFolder folder;
  const std::string source = folder.write("gemm.cu", kProgram);
  const std::string program = folder.path("gemm");
  const FinishedProgram made = run_program({nvcc, "-std=c++17", "-gencode", "arch=compute_90a,code=sm_90a", "-cudart",
                                            "shared", "-o", program, source});
  INFO(made.errors);
  REQUIRE(made.exit_code == 0);
  for (const char* timed : {"all", "none"}) {
    const FinishedProgram ran = run_program({HEDDLE_COMMAND, "exec", "--code", "machine", "--gpu", "h100", "--timed", timed,
                                             "--summary", folder.path("summary"), "--", program});
    INFO(ran.errors);
    CHECK(ran.output == "product: no error\n0 elements differ\n");
  }
}

}  // namespace heddle::cuda
