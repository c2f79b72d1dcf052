// H100 PCIe: see ../kernels/gemm.sass.

extern "C" __global__ void gemm(float* a, float* b, float* c, int ni, int nj, int nk) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < ni && j < nj) {
    c[i * nj + j] *= 2123.0f;
    for (int k = 0; k < nk; ++k) c[i * nj + j] += 32412.0f * a[i * nk + k] * b[k * nj + j];
  }
}
