// Keeps what it needs twice, and is charged for 64 registers.

// Keeps so many values alive that a thread of the calling kernel gets 64 registers.
__device__ __forceinline__ void keep_many(float* data) {
#ifdef __CUDA_ARCH__
  constexpr int kKept = 56;
  const volatile float* from = data;
  volatile float* to = data;
  float kept[kKept];
#pragma unroll
  for (int k = 0; k < kKept; k++) kept[k] = from[k];
#pragma unroll
  for (int k = 0; k < kKept; k++) to[k] = kept[kKept - 1 - k];
#endif
}

__global__ void kernel_b(float* data, int n) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  // never executed; it has the effect of `registers: 64` in the launch file
  if (n < 0) keep_many(data + idx);
  if (idx < n) {
    float a = data[idx];
    float b = sinf(a);
    float c = cosf(a);
    float d = b * c;
    float e = b + c;
    float f = d / e;
    data[idx] = f + a;
  }
}
