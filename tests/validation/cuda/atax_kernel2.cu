// H100 PCIe: see ../kernels/atax_kernel2.sass.

extern "C" __global__ void atax_kernel2(float* A, float* tmp, float* y, int nx, int ny) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < ny) {
    for (int i = 0; i < nx; ++i) y[j] += A[i * ny + j] * tmp[i];
  }
}
