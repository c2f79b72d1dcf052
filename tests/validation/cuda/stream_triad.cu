// V10: see ../kernels/stream_triad.sass.

extern "C" __global__ void stream_triad(double* a, const double* __restrict__ b, const double* __restrict__ c,
                                        const double* __restrict__ d, unsigned n) {
  const unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  a[i] = b[i] * d[i] + c[i];
}
