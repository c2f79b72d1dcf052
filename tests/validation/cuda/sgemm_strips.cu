// V14, the fourth rung: see ../kernels/sgemm_strips.sass.

extern "C" __global__ void sgemm_strips(const float* a, const float* b, float* c, int n, int k) {
  __shared__ float as[64 * 8], bs[8 * 64];
  const int col = threadIdx.x % 64, row = threadIdx.x / 64;
  a += blockIdx.y * 64 * n, b += blockIdx.x * 64, c += blockIdx.y * 64 * n + blockIdx.x * 64;
  const unsigned ac = threadIdx.x % 8, ar = threadIdx.x / 8;
  float sums[8] = {0};
  for (int at = 0; at < k; at += 8) {
    as[ar * 8 + ac] = a[ar * n + ac], bs[row * 64 + col] = b[row * n + col];
    __syncthreads();
    a += 8, b += 8 * n;
    for (int i = 0; i < 8; ++i) {
      const float x = bs[i * 64 + col];
      for (int j = 0; j < 8; ++j) sums[j] += as[(row * 8 + j) * 8 + i] * x;
    }
    __syncthreads();
  }
  for (int j = 0; j < 8; ++j) c[(row * 8 + j) * n + col] = sums[j];
}
