// V4: see ../kernels/dfma_chains.sass.

template <int kChains>
__device__ void chains(double p, double* a, int rounds) {
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    double sums[kChains];
    for (int m = 0; m < kChains; ++m) sums[m] = p + threadIdx.x + round + m;
    for (int n = 0; n < 128 / kChains; ++n) {
      for (int m = 0; m < kChains; ++m) sums[m] = sums[m] * 0.9 + 0.5;
    }
    for (int m = 0; m < kChains; ++m) {
      if (sums[m] > 22313.0) a[0] = sums[m];
    }
  }
}

extern "C" __global__ void dfma_chains_1(double p, double* a, int rounds) { chains<1>(p, a, rounds); }
extern "C" __global__ void dfma_chains_2(double p, double* a, int rounds) { chains<2>(p, a, rounds); }
extern "C" __global__ void dfma_chains_8(double p, double* a, int rounds) { chains<8>(p, a, rounds); }
