// H100 PCIe: see ../kernels/bicg_kernel1.sass.

extern "C" __global__ void bicg_kernel1(float* A, float* r, float* s, int nx, int ny) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < ny) {
    s[j] = 0.0f;
    for (int i = 0; i < nx; ++i) s[j] += A[i * ny + j] * r[i];
  }
}
