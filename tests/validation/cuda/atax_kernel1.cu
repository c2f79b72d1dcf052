// H100 PCIe: see ../kernels/atax_kernel1.sass.

extern "C" __global__ void atax_kernel1(float* A, float* x, float* tmp, int nx, int ny) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < nx) {
    for (int j = 0; j < ny; ++j) tmp[i] += A[i * ny + j] * x[j];
  }
}
