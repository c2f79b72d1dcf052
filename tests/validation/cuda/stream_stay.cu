// V20: see ../kernels/stream_stay.sass. Loads pass L1 (there threads meet after each round, which empties it).

extern "C" __global__ void stream_stay_scale(double* __restrict__ a, const double* __restrict__ b, unsigned n, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) a[i] = __ldcg(&b[i]) * 1.25;
  }
}

extern "C" __global__ void stream_stay_read(double* a, const double* b, unsigned n, int rounds) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  double sum = 0;
  for (int round = 0; round < rounds; ++round) {
    for (unsigned i = thread; i < n; i += gridDim.x * blockDim.x) sum += __ldcg(&b[i]);
  }
  a[thread] = sum;
}

extern "C" __global__ void stream_stay_store(double* a, const double*, unsigned n, int rounds) {
  for (int round = rounds; round > 0; --round) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) a[i] = round;
  }
}
