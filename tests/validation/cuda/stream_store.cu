// V10: see ../kernels/stream_store.sass.

extern "C" __global__ void stream_store(double* a, unsigned n) {
  const unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  a[i] = 1.0;
}
