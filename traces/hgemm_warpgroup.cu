// Multiplies matrices of half precision by products of a warpgroup (wgmma), which only compute
// capability 9.0a has. C = A B; M is a multiple of 128, N of 192, K of 64.
#include "tensor_cores.cuh"

constexpr int kStages = 3;

// A tile of lines of 128 bytes, swizzled as wgmma requires: the 16-byte piece p of line r is at position p ^
// (r % 8). As is row-major; Bs is three columns of 64 numbers, each row-major.
struct SwizzledTile {
  Half As[128][64];
  Half Bs[3][64][64];
};

// The wgmma descriptor of a matrix in shared memory with 128-byte swizzling. `leading` is the distance in
// bytes from 64 numbers to the next 64 of a matrix whose rows lie along M or N. Eight lines take 1024 bytes.
__device__ __forceinline__ unsigned long long descriptor(unsigned address, unsigned leading) {
  const unsigned long long swizzle_128 = 1ull << 62, eight_lines = 1024ull >> 4 << 32;
  return swizzle_128 | eight_lines | (unsigned long long)(leading >> 4) << 16 | (address & 0x3ffff) >> 4;
}

#ifdef __CUDACC__  // the emulator of tools/hardware has functions of its own

#ifdef WITHOUT_WARPGROUP  // tools/hardware compiles for other GPUs, too, and does not launch it there
#define WARPGROUP_CODE(...)
#else
#define WARPGROUP_CODE(...) asm volatile(__VA_ARGS__)
#endif

__device__ __forceinline__ void begin_products() {
  WARPGROUP_CODE("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  WARPGROUP_CODE("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ __forceinline__ void commit_products() {
  WARPGROUP_CODE("wgmma.commit_group.sync.aligned;" ::: "memory");
}

template <int kLeft>
__device__ __forceinline__ void wait_for_products() {
  WARPGROUP_CODE("wgmma.wait_group.sync.aligned %0;" ::"n"(kLeft) : "memory");
}

#define SUMS8(i)                                                                              \
  "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), \
      "+f"(d[i + 6]), "+f"(d[i + 7])

// d += A B. A is 64 x 16 with K along its rows; B is 16 x 192 with N along its rows.
__device__ __forceinline__ void multiply(float (&d)[96], unsigned long long a, unsigned long long b) {
  WARPGROUP_CODE(
      "{ .reg .pred keep; setp.eq.b32 keep, 0, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n192k16.f32.f16.f16 {"
      "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
      "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
      "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95}, "
      "%96, %97, keep, 1, 1, 0, 1; }"
      : SUMS8(0), SUMS8(8), SUMS8(16), SUMS8(24), SUMS8(32), SUMS8(40), SUMS8(48), SUMS8(56), SUMS8(64),
        SUMS8(72), SUMS8(80), SUMS8(88)
      : "l"(a), "l"(b));
}

#undef SUMS8

// Keeps the compiler from reading sums before they are complete.
__device__ __forceinline__ void settle(float (&sum)[2][96]) {
#pragma unroll
  for (int i = 0; i < 96; i++) WARPGROUP_CODE("" : "+f"(sum[0][i]), "+f"(sum[1][i])::"memory");
}

#endif

__device__ __forceinline__ void copy_tile(SwizzledTile& to, const Half* A, const Half* B, int N, int K,
                                          int k) {
  int tid = threadIdx.x;
#pragma unroll
  for (int i = 0; i < 8; i++) {
    int line = tid / 8 + 16 * i, piece = tid % 8;
    copy_async(&to.As[line][(piece ^ (line % 8)) * 8], A + line * K + k + piece * 8);
  }
#pragma unroll
  for (int i = 0; i < 12; i++) {
    int line = tid / 8 + i % 4 * 16, piece = tid % 8;
    copy_async(&to.Bs[i / 4][line][(piece ^ (line % 8)) * 8], B + (k + line) * N + i / 4 * 64 + piece * 8);
  }
}

__global__ void __launch_bounds__(128, 1)
    hgemm_warpgroup(const Half* A, const Half* B, float* C, int N, int K) {
  extern __shared__ __align__(1024) SwizzledTile tiles[];
  A += blockIdx.y * 128 * K;
  B += blockIdx.x * 192;
  C += blockIdx.y * 128 * N + blockIdx.x * 192;
  float sum[2][96] = {};
  settle(sum);
  int copied = 0, multiplied = 0;
#pragma unroll 1
  for (int k = 0; k < K + 64; k += 64) {
    if (k < K) copy_tile(tiles[copied], A, B, N, K, k);
    commit_copies();
    copied = copied == kStages - 1 ? 0 : copied + 1;
    if (k == 0) continue;  // two tiles are loaded before the first products
    wait_for_copies<1>();
    begin_products();
    unsigned as = shared_address(tiles[multiplied].As), bs = shared_address(tiles[multiplied].Bs);
#pragma unroll
    for (int step = 0; step < 4; step++) {  // 16 of the 64
#pragma unroll
      for (int half = 0; half < 2; half++)  // 64 of the 128 rows
        multiply(sum[half], descriptor(as + half * 8192 + step * 32, 16), descriptor(bs + step * 2048, 8192));
    }
    commit_products();
    wait_for_products<1>();  // then the previous tile has been read
    __syncthreads();
    multiplied = multiplied == kStages - 1 ? 0 : multiplied + 1;
  }
  wait_for_products<0>();
  settle(sum);
  int row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4, column = threadIdx.x % 4 * 2;
#pragma unroll
  for (int half = 0; half < 2; half++) {
#pragma unroll
    for (int i = 0; i < 96; i++)
      C[(64 * half + row + i % 4 / 2 * 8) * N + i / 4 * 8 + column + i % 2] = sum[half][i];
  }
}
