// V19: see ../kernels/sweeps.sass, and gpu-cache of RRZE gpu-benches. The size of the buffer is a number of the compiler's
// there, so that it unrolls the loop through all of a small one and 32 loads of a large one. Here one kernel has a loop for
// each size of the suite, and stops at any other. The pointer moves by nothing, which the compiler does not know.

__device__ double kept;

template <typename T, unsigned Kib>
__device__ void sweeps(const T* __restrict__ b, unsigned rounds) {
  constexpr unsigned kBlock = 256, kCount = Kib * 1024 / sizeof(T);
  const int nothing = static_cast<int>(rounds >> 31);
  b += threadIdx.x;
  T sum = 0;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; ++round) {
    b += nothing;
#pragma unroll kCount / kBlock >= 64 ? 32 : kCount / kBlock
    for (unsigned i = 0; i < kCount; i += kBlock) sum += b[i];
    sum *= T(1.3);
  }
  if (sum == T(1233)) kept += sum;
}

extern "C" __global__ void sweeps_4(const float* __restrict__ b, unsigned groups, unsigned rounds) {
  switch (groups * 16) {
    case 32: return sweeps<float, 32>(b, rounds);
    case 64: return sweeps<float, 64>(b, rounds);
    case 192: return sweeps<float, 192>(b, rounds);
    case 576: return sweeps<float, 576>(b, rounds);
    case 1728: return sweeps<float, 1728>(b, rounds);
    default: __trap();
  }
}

extern "C" __global__ void sweeps_8(const double* __restrict__ b, unsigned groups, unsigned rounds) {
  switch (groups * 32) {
    case 64: return sweeps<double, 64>(b, rounds);
    case 96: return sweeps<double, 96>(b, rounds);
    case 128: return sweeps<double, 128>(b, rounds);
    case 384: return sweeps<double, 384>(b, rounds);
    case 448: return sweeps<double, 448>(b, rounds);
    case 1152: return sweeps<double, 1152>(b, rounds);
    default: __trap();
  }
}
