// V14, the first two rungs: see ../kernels/sgemm.sass.

__device__ void element(const float* a, const float* b, float* c, int n, int k, int row, int col) {
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[row * n + i] * b[i * n + col];
  c[row * n + col] = sum;
}

extern "C" __global__ void sgemm_naive(const float* a, const float* b, float* c, int n, int k) {
  element(a, b, c, n, k, blockIdx.x * 32 + threadIdx.x % 32, blockIdx.y * 32 + threadIdx.x / 32);
}

extern "C" __global__ void sgemm_coalesced(const float* a, const float* b, float* c, int n, int k) {
  element(a, b, c, n, k, blockIdx.x * 32 + threadIdx.x / 32, blockIdx.y * 32 + threadIdx.x % 32);
}
