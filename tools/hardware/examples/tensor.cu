// Twins: half-precision matrix products on tensor cores.
#include "tools/hardware/examples/tensor.h"
#include "tools/hardware/examples/tensor_twin.h"

namespace kit {

namespace {

/// The fragments of a warp for its 64 x 64 part of C and 16 columns of k: four 16 x 16 of A, four of B.
struct Fragments {
  unsigned a[4][4];
  unsigned b[4][4];
};

__device__ __forceinline__ void multiply_half(float (&sum)[4][8][4], const Fragments& from, int first_row) {
#pragma unroll
  for (int row = first_row; row < first_row + 2; row++) {
#pragma unroll
    for (int column = 0; column < 8; column++)
      multiply(sum[row][column], from.a[row], &from.b[column / 2][column % 2 * 2]);
  }
}

__device__ __forceinline__ void store_sums(float* C, int N, int row, int column,
                                           const float (&sum)[4][8][4]) {
  int lane = threadIdx.x % 32;
#pragma unroll
  for (int r = 0; r < 4; r++) {
#pragma unroll
    for (int c = 0; c < 8; c++) {
      float* at = C + (row + 16 * r + lane / 4) * N + column + 8 * c + lane % 4 * 2;
      at[0] = sum[r][c][0];
      at[1] = sum[r][c][1];
      at[8 * N] = sum[r][c][2];
      at[8 * N + 1] = sum[r][c][3];
    }
  }
}

/// A tile whose rows are padded by 16 bytes.
struct alignas(16) PaddedTile {
  Half As[128][32 + 8];
  Half Bs[32][128 + 8];

  __device__ __forceinline__ void load(Fragments& to, int row, int column, int step) const {
    int lane = threadIdx.x % 32;
#pragma unroll
    for (int i = 0; i < 4; i++) {
      load_matrices<false>(to.a[i], &As[row + 16 * i + lane % 16][16 * step + lane / 16 * 8]);
      load_matrices<true>(to.b[i], &Bs[16 * step + lane % 16][column + 16 * i + lane / 16 * 8]);
    }
  }
};

/// A thread's eight pieces of 16 bytes while they are copied from global to shared memory.
struct Pieces {
  uint4 a[4], b[4];

  __device__ __forceinline__ void fetch(const Half* A, const Half* B, int N, int K, int k) {
    int tid = threadIdx.x;
#pragma unroll
    for (int i = 0; i < 4; i++) {
      int piece = tid + 128 * i;
      a[i] = *(const uint4*)(A + piece / 4 * K + k + piece % 4 * 8);
      b[i] = *(const uint4*)(B + (k + piece / 16) * N + piece % 16 * 8);
    }
  }

  __device__ __forceinline__ void store(PaddedTile& tile) const {
    int tid = threadIdx.x;
#pragma unroll
    for (int i = 0; i < 4; i++) {
      int piece = tid + 128 * i;
      *(uint4*)&tile.As[piece / 4][piece % 4 * 8] = a[i];
      *(uint4*)&tile.Bs[piece / 16][piece % 16 * 8] = b[i];
    }
  }
};

__global__ void __launch_bounds__(128) hgemm(const Half* A, const Half* B, float* C, int N, int K) {
  __shared__ PaddedTile tiles[2];
  int warp = threadIdx.x / 32, row = warp / 2 * 64, column = warp % 2 * 64;
  A += blockIdx.y * 128 * K;
  B += blockIdx.x * 128;
  C += blockIdx.y * 128 * N + blockIdx.x * 128;
  float sum[4][8][4] = {};
  Fragments fragments[2];
  Pieces pieces;
  pieces.fetch(A, B, N, K, 0);
  pieces.store(tiles[0]);
  __syncthreads();
  if (32 < K) pieces.fetch(A, B, N, K, 32);
  tiles[0].load(fragments[0], row, column, 0);
#pragma unroll 1
  for (int k = 0; k < K; k += 32) {
    int now = k / 32 % 2;
    tiles[now].load(fragments[1], row, column, 1);
    multiply_half(sum, fragments[0], 0);
    multiply_half(sum, fragments[0], 2);
    if (k + 32 < K) pieces.store(tiles[1 - now]);
    if (k + 64 < K) pieces.fetch(A, B, N, K, k + 64);
    multiply_half(sum, fragments[1], 0);
    __syncthreads();
    if (k + 32 < K) tiles[1 - now].load(fragments[0], row, column, 0);
    multiply_half(sum, fragments[1], 2);
  }
  store_sums(C, N, row, column, sum);
}

/// A tile with permuted pieces of 16 bytes, so that the eight rows of a matrix are in different banks: piece
/// p of row r is at p ^ (r / 2 % 4) in As, and at p ^ (r % 8) in Bs.
struct alignas(16) PermutedTile {
  Half As[128][32];
  Half Bs[32][128];

  __device__ __forceinline__ Half* a(int row, int piece) { return &As[row][(piece ^ (row / 2 % 4)) * 8]; }
  __device__ __forceinline__ Half* b(int row, int piece) { return &Bs[row][(piece ^ (row % 8)) * 8]; }

  __device__ __forceinline__ void load(Fragments& to, int row, int column, int step) {
    int lane = threadIdx.x % 32;
#pragma unroll
    for (int i = 0; i < 4; i++) {
      load_matrices<false>(to.a[i], a(row + 16 * i + lane % 16, 2 * step + lane / 16));
      load_matrices<true>(to.b[i], b(16 * step + lane % 16, column / 8 + 2 * i + lane / 16));
    }
  }

  __device__ __forceinline__ void copy(const Half* A, const Half* B, int N, int K, int k) {
    int tid = threadIdx.x;
#pragma unroll
    for (int i = 0; i < 4; i++) {
      int piece = tid + 128 * i;
      copy_async(a(piece / 4, piece % 4), A + piece / 4 * K + k + piece % 4 * 8);
      copy_async(b(piece / 16, piece % 16), B + (k + piece / 16) * N + piece % 16 * 8);
    }
  }
};

__global__ void __launch_bounds__(128) hgemm_async(const Half* A, const Half* B, float* C, int N, int K) {
  __shared__ PermutedTile tiles[3];
  int warp = threadIdx.x / 32, row = warp / 2 * 64, column = warp % 2 * 64;
  A += blockIdx.y * 128 * K;
  B += blockIdx.x * 128;
  C += blockIdx.y * 128 * N + blockIdx.x * 128;
  float sum[4][8][4] = {};
  Fragments fragments[2];
#pragma unroll
  for (int stage = 0; stage < 2; stage++) {
    if (32 * stage < K) tiles[stage].copy(A, B, N, K, 32 * stage);
    commit_copies();
  }
  wait_for_copies<1>();
  __syncthreads();
  tiles[0].load(fragments[0], row, column, 0);
  int now = 0;
#pragma unroll 1
  for (int k = 0; k < K; k += 32) {
    int next = now == 2 ? 0 : now + 1;
    tiles[now].load(fragments[1], row, column, 1);
    multiply_half(sum, fragments[0], 0);
    if (k + 64 < K) tiles[next == 2 ? 0 : next + 1].copy(A, B, N, K, k + 64);
    commit_copies();
    multiply_half(sum, fragments[0], 2);
    multiply_half(sum, fragments[1], 0);
    wait_for_copies<1>();
    __syncthreads();
    if (k + 32 < K) tiles[next].load(fragments[0], row, column, 0);
    multiply_half(sum, fragments[1], 2);
    now = next;
  }
  store_sums(C, N, row, column, sum);
}

Twin make_on_tensor_cores(Values& value, HalfKernel kernel) {
  const HalfProduct product = {value("m", 1408), value("n", 1536), value("k", 256)};
  Twin twin = make_product(product, kernel, {{product.n / 128, product.m / 128}, 128});
  twin.needs.least_capability = 80;  // for mma.m16n8k16 and cp.async
  return twin;
}

}  // namespace

Twin make_hgemm(Values& value) { return make_on_tensor_cores(value, hgemm); }
Twin make_hgemm_async(Values& value) { return make_on_tensor_cores(value, hgemm_async); }

}  // namespace kit
