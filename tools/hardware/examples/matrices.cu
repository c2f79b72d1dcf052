// Twins: matrix products, optimized step by step.
#include <cmath>

#include "tools/hardware/kit/twin.h"

namespace kit {

namespace {

__global__ void matmul_v1(float* A, float* B, float* C, int N) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < N && col < N) {
    float sum = 0;
#pragma unroll 4
    for (int k = 0; k < N; k++) sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
  }
}

__global__ void matmul_v2(float* A, float* B, float* C, int N) {
  constexpr int TILE = 16;
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty;
  int col = blockIdx.x * TILE + tx;
  float sum = 0;
  for (int t = 0; t < N; t += TILE) {
    As[ty][tx] = row < N && t + tx < N ? A[row * N + t + tx] : 0;
    Bs[ty][tx] = t + ty < N && col < N ? B[(t + ty) * N + col] : 0;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; k++) sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  if (row < N && col < N) C[row * N + col] = sum;
}

__global__ void matmul_v3(float* A, float* B, float* C, int N) {
  constexpr int TILE = 32;
  __shared__ float As[TILE][TILE + 1];
  __shared__ float Bs[TILE][TILE + 1];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * blockDim.y + ty;
  int col = blockIdx.x * TILE + tx;
  float sum = 0;
  for (int t = 0; t < N; t += TILE) {
    As[ty][tx] = row < N && t + tx < N ? A[row * N + t + tx] : 0;
    for (int r = ty; r < TILE; r += blockDim.y)  // one iteration for a block of 32 x 32 threads
      Bs[r][tx] = t + r < N && col < N ? B[(t + r) * N + col] : 0;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; k++) sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  if (row < N && col < N) C[row * N + col] = sum;
}

Twin make_matmul(unsigned n, Shape shape, void (*kernel)(float*, float*, float*, int)) {
  Twin twin;
  const std::size_t count = std::size_t{n} * n;
  const auto a = twin.add(random_floats(count, 1, 0, 1));
  const auto b = twin.add(random_floats(count, 2, 0, 1));
  const auto c = twin.add(filled<float>(count, -1));
  twin.runs(kernel, shape, a, b, c, n);
  const auto expected = [=](std::size_t i) {
    float sum = 0;
    for (std::size_t k = 0; k < n; ++k) sum = std::fma(a[i / n * n + k], b[k * n + i % n], sum);
    return sum;
  };
  twin.expect(c, expected, 1e-5, 25600);
  return twin;
}

}  // namespace

Twin make_matmul_v1(Values& value) {
  const unsigned n = value("n", 320), blocks = divide_up(n, 16);
  return make_matmul(n, {{blocks, blocks}, {16, 16}}, matmul_v1);
}

Twin make_matmul_v2(Values& value) {
  const unsigned n = value("n", 320), blocks = divide_up(n, 16);
  return make_matmul(n, {{blocks, blocks}, {16, 16}}, matmul_v2);
}

Twin make_matmul_v3(Values& value) {
  const unsigned n = value("n", 320), rows = value("rows", 16);
  return make_matmul(n, {{divide_up(n, 32), divide_up(n, rows)}, {32, rows}}, matmul_v3);
}

}  // namespace kit
