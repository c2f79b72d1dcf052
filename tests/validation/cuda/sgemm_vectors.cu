// V14, the sixth rung: see ../kernels/sgemm_vectors.sass.

extern "C" __global__ void sgemm_vectors(float* a, float* b, float* c, int n, int k) {
  __shared__ float as[8 * 128], bs[8 * 128];
  const int col = threadIdx.x % 16, row = threadIdx.x / 16;
  a += blockIdx.y * 128 * n, b += blockIdx.x * 128, c += blockIdx.y * 128 * n + blockIdx.x * 128;
  const unsigned ar = threadIdx.x / 2, ac = threadIdx.x % 2, br = threadIdx.x / 32, bc = threadIdx.x % 32;
  float sums[64] = {0}, x[8], y[8];
  for (int at = 0; at < k; at += 8) {
    const float4 t = *(float4*)&a[ar * n + ac * 4];
    as[(ac * 4 + 0) * 128 + ar] = t.x, as[(ac * 4 + 1) * 128 + ar] = t.y;
    as[(ac * 4 + 2) * 128 + ar] = t.z, as[(ac * 4 + 3) * 128 + ar] = t.w;
    *(float4*)&bs[br * 128 + bc * 4] = *(float4*)&b[br * n + bc * 4];
    __syncthreads();
    a += 8, b += 8 * n;
    for (int i = 0; i < 8; ++i) {
      for (int j = 0; j < 8; ++j) x[j] = as[i * 128 + row * 8 + j], y[j] = bs[i * 128 + col * 8 + j];
      for (int p = 0; p < 8; ++p)
        for (int q = 0; q < 8; ++q) sums[p * 8 + q] += x[p] * y[q];
    }
    __syncthreads();
  }
  for (int p = 0; p < 8; ++p)
    for (int q = 0; q < 8; q += 4)
      *(float4*)&c[(row * 8 + p) * n + col * 8 + q] =
          make_float4(sums[p * 8 + q], sums[p * 8 + q + 1], sums[p * 8 + q + 2], sums[p * 8 + q + 3]);
}
