// V21: see ../kernels/roofline.sass. How many elements a thread reads and how many steps there are are numbers of the
// compiler's where it was measured, and its choice of registers, and so which of them meet in a bank, depends on that. So
// there is a loop for each of the numbers that the suite has.

template <int kSteps, int kCount>
__device__ void chains(const float* a, const float* b, float* c) {
  a += threadIdx.x + blockIdx.x * 256 * kCount;
  b += threadIdx.x + blockIdx.x * 256 * kCount;
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < kCount; i += 2) {
    const float a1 = a[i * 256], b1 = b[i * 256];
    float v1 = a1 - b1;
    const float a2 = a[(i + 1) * 256], b2 = b[(i + 1) * 256];
    float v2 = a2 - b2;
    for (int j = 0; j < kSteps; ++j) {
      v1 = v1 * a1 - b1;
      v2 = v2 * a2 - b2;
    }
    sum += v1 + v2;
  }
  if (threadIdx.x == 0) c[blockIdx.x] = sum;
}

#define KERNEL(STEPS)                                                                                             \
  extern "C" __global__ void chains_##STEPS(const float* __restrict__ a, const float* __restrict__ b, float* c,   \
                                            int m) {                                                              \
    if (m == 8) chains<STEPS, 8>(a, b, c);                                                                        \
    if (m == 24) chains<STEPS, 24>(a, b, c);                                                                      \
  }
KERNEL(0)
KERNEL(24)
KERNEL(40)
KERNEL(56)
KERNEL(64)

template <int kCount>
__device__ void chains_of(const float* a, const float* b, float* c, int steps) {
  if (steps == 128) chains<128, kCount>(a, b, c);
  if (steps == 160) chains<160, kCount>(a, b, c);
  if (steps == 192) chains<192, kCount>(a, b, c);
  if (steps == 256) chains<256, kCount>(a, b, c);
  if (steps == 384) chains<384, kCount>(a, b, c);
}

extern "C" __global__ void chains_32_a_round(const float* __restrict__ a, const float* __restrict__ b, float* c, int m,
                                             int rounds) {
  if (m == 4) chains_of<4>(a, b, c, 32 * rounds);
  if (m == 12) chains_of<12>(a, b, c, 32 * rounds);
}
