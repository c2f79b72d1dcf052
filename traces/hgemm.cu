// Multiplies matrices of half precision on tensor cores, C = A B, through registers and shared memory. M and
// N are multiples of 128, K of 32.
#include "tensor_cores.cuh"

// A tile whose rows are padded by 16 bytes.
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

// A thread's eight pieces of 16 bytes while they are copied from global to shared memory.
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
