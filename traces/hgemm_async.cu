// Multiplies matrices of half precision on tensor cores, C = A B, fed by asynchronous copies. M and N are
// multiples of 128, K of 32.
#include "tensor_cores.cuh"

// A tile with permuted pieces of 16 bytes, so that the eight rows of a matrix are in different banks: piece
// p of row r is at p ^ (r / 2 % 4) in As, and at p ^ (r % 8) in Bs.
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
