// What the kernels on tensor cores have in common: instructions of CUDA's PTX, and a warp's part of the
// product.
#pragma once

// A number of half precision. The kernels only move them; the tensor cores multiply them.
using Half = unsigned short;

#ifdef __CUDACC__  // the emulator of tools/hardware has functions of its own

__device__ __forceinline__ unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

// Loads four 8 x 8 matrices. Lane l names row l % 8 of matrix l / 8.
template <bool kTransposed>
__device__ __forceinline__ void load_matrices(unsigned (&to)[4], const Half* row) {
#if __CUDA_ARCH__ >= 750
  if (kTransposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(shared_address(row)));
  else
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(shared_address(row)));
#else
  __trap();
#endif
}

// sum += A B, with A of 16 x 16 and B of 16 x 8.
__device__ __forceinline__ void multiply(float (&sum)[4], const unsigned (&a)[4], const unsigned* b) {
#if __CUDA_ARCH__ >= 800
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
  __trap();
#endif
}

// Copies 16 bytes from global to shared memory. The copy bypasses registers and L1.
__device__ __forceinline__ void copy_async(void* to, const void* from) {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from) : "memory");
#else
  __trap();
#endif
}

__device__ __forceinline__ void commit_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#else
  __trap();
#endif
}

// Waits until all but the last kLeft groups of copies have arrived.
template <int kLeft>
__device__ __forceinline__ void wait_for_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(kLeft) : "memory");
#else
  __trap();
#endif
}

#endif

// The fragments of a warp for its 64 x 64 part of C and 16 columns of k: four 16 x 16 of A, four of B.
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
