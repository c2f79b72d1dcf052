// V10: see ../kernels/stream_read.sass.

extern "C" __global__ void stream_read(double* a, const double* __restrict__ b, unsigned n) {
  const unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  const double element = b[i];
  if (element == 123.0) a[i] = element;
}
