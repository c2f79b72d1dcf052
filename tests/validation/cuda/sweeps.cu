// V19: see ../kernels/sweeps.sass. There the buffer's size is a number of the compiler's; a loop of the same sixteen loads
// does with one.

template <typename T>
__device__ void sweeps(const T* b, unsigned groups, unsigned rounds) {
  b += threadIdx.x;
  T sum = 0;
  for (unsigned round = 0; round < rounds; ++round) {
    for (unsigned i = 0; i < 16 * 256 * groups; i += 16 * 256) {
      for (unsigned j = 0; j < 16; ++j) sum += b[i + 256 * j];
    }
    sum *= T(1.3);
  }
  if (sum == T(1233)) *const_cast<T*>(b) = sum;
}

extern "C" __global__ void sweeps_4(const float* b, unsigned groups, unsigned rounds) { sweeps(b, groups, rounds); }
extern "C" __global__ void sweeps_8(const double* b, unsigned groups, unsigned rounds) { sweeps(b, groups, rounds); }
