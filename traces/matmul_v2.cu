// Multiplies two square matrices, second form: tiles of 16 x 16 in shared memory.

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
