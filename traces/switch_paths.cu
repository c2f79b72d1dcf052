// A switch: each of its 32 paths that some lane takes costs the warp as much as the one before.

// value * factor + i. It is written in PTX; otherwise the compiler would compute the factor from the case
// and remove the switch.
template <unsigned kFactor>
__device__ __forceinline__ void path(unsigned& value, unsigned i) {
#ifdef __CUDA_ARCH__
  asm volatile("mad.lo.u32 %0, %0, %1, %2;" : "+r"(value) : "n"(kFactor), "r"(i));
#else
  value = value * kFactor + i;
#endif
}

#define PATH(k)                  \
  case k:                        \
    path<2 * (k) + 3>(value, i); \
    break;
#define PATHS(k) PATH(k) PATH(k + 1) PATH(k + 2) PATH(k + 3)

__global__ void switch_paths(unsigned* data, unsigned paths) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value = data[i];
  switch (threadIdx.x % 32 * paths / 32) {
    PATHS(0) PATHS(4) PATHS(8) PATHS(12) PATHS(16) PATHS(20) PATHS(24) PATHS(28)
  }
  data[i] = value;
}

#undef PATHS
#undef PATH
