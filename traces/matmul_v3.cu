// Multiplies two square matrices, third form: padded tiles of 32 x 32.

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
