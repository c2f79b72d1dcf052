// V18: see ../kernels/sums.sass, and gpu-l2-cache of RRZE gpu-benches at 3088b33, which measured A100, H200 and L40: products
// of pairs that lie a block apart, half as many operations as loads. How many a thread reads is a number of the compiler's,
// 64 there; the suite has 16. H100 PCIe was measured before, with 32 floats a thread and a sum of each.

template <unsigned Each>
__device__ double sum_of_pairs(const double* __restrict__ b) {
  double sum = 0;
  for (unsigned i = 0; i < Each / 2; ++i) {
    const unsigned at = (blockDim.x * gridDim.x * i + blockIdx.x * 1024) * 2 + threadIdx.x;
    sum += b[at] * b[at + 1024];
  }
  return sum;
}

extern "C" __global__ void sums(double* __restrict__ a, const double* __restrict__ b, int eights) {
  double sum = 0;
  switch (eights) {
    case 2: sum = sum_of_pairs<16>(b); break;
    case 8: sum = sum_of_pairs<64>(b); break;
    default: __trap();
  }
  sum *= 1.3;
  if (threadIdx.x > 1233 || sum == 23.12) a[threadIdx.x] += sum;
}
