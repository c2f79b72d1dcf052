// H100 PCIe: see ../kernels/bicg_kernel2.sass.

extern "C" __global__ void bicg_kernel2(float* A, float* p, float* q, int nx, int ny) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < nx) {
    q[i] = 0.0f;
    for (int j = 0; j < ny; ++j) q[i] += A[i * ny + j] * p[j];
  }
}
