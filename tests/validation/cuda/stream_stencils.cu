// V10: see ../kernels/stream_stencils.sass.

extern "C" __global__ void stencil_3(double* a, const double* __restrict__ b, unsigned n) {
  const unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n - 1 || i < 1) return;
  a[i] = 0.5 * b[i - 1] - 1.0 * b[i] + 0.5 * b[i + 1];
}

extern "C" __global__ void stencil_5(double* a, const double* __restrict__ b, unsigned n) {
  const unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n - 2 || i < 2) return;
  a[i] = 0.25 * b[i - 2] + 0.25 * b[i - 1] - 1.0 * b[i] + 0.5 * b[i + 1] + 0.5 * b[i + 2];
}
