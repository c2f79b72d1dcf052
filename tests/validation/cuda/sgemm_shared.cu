// V14, the third rung: see ../kernels/sgemm_shared.sass.

extern "C" __global__ void sgemm_shared(const float* a, const float* b, float* c, int n, int k) {
  __shared__ float as[32 * 32], bs[32 * 32];
  const unsigned row = threadIdx.x / 32, col = threadIdx.x % 32;
  a += blockIdx.x * 32 * n, b += blockIdx.y * 32, c += blockIdx.x * 32 * n + blockIdx.y * 32;
  float sum = 0;
  for (int at = 0; at < k; at += 32) {
    as[row * 32 + col] = a[row * n + col], bs[row * 32 + col] = b[row * n + col];
    __syncthreads();
    a += 32, b += 32 * n;
    for (int i = 0; i < 32; ++i) sum += as[row * 32 + i] * bs[i * 32 + col];
    __syncthreads();
  }
  c[row * n + col] = sum;
}
