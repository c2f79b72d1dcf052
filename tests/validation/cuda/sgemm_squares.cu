// V14, the fifth rung: see ../kernels/sgemm_squares.sass.

extern "C" __global__ void __launch_bounds__(256, 1) sgemm_squares(const float* a, const float* b, float* c, int n, int k) {
  __shared__ float as[128 * 8], bs[8 * 128];
  const int col = threadIdx.x % 16, row = threadIdx.x / 16;
  a += blockIdx.y * 128 * n, b += blockIdx.x * 128, c += blockIdx.y * 128 * n + blockIdx.x * 128;
  const unsigned ar = threadIdx.x / 8, ac = threadIdx.x % 8, br = threadIdx.x / 128, bc = threadIdx.x % 128;
  float sums[64] = {0}, x[8], y[8];
  for (int at = 0; at < k; at += 8) {
    for (unsigned o = 0; o < 128; o += 32) as[(ar + o) * 8 + ac] = a[(ar + o) * n + ac];
    for (unsigned o = 0; o < 8; o += 2) bs[(br + o) * 128 + bc] = b[(br + o) * n + bc];
    __syncthreads();
    a += 8, b += 8 * n;
    for (int i = 0; i < 8; ++i) {
      for (int j = 0; j < 8; ++j) x[j] = as[(row * 8 + j) * 8 + i], y[j] = bs[i * 128 + col * 8 + j];
      for (int p = 0; p < 8; ++p)
        for (int q = 0; q < 8; ++q) sums[p * 8 + q] += x[p] * y[q];
    }
    __syncthreads();
  }
  for (int p = 0; p < 8; ++p)
    for (int q = 0; q < 8; ++q) c[(row * 8 + p) * n + col * 8 + q] = sums[p * 8 + q];
}
