// V18: see ../kernels/sums.sass, and gpu-l2-cache of RRZE gpu-benches. How many elements a thread reads is a number of the
// compiler's, there and here. The suite has 16 doubles, added one after another, as the version that measured the H100 PCIe
// does it; with `each: 64` it is the later version, which measured the others and multiplies pairs.

extern "C" __global__ void sums(double* __restrict__ a, const double* __restrict__ b, int eights) {
  const unsigned chunks = gridDim.x, chunk = blockIdx.x;
  double sum = 0;
  if (eights == 2) {
    for (unsigned i = 0; i < 16; ++i) sum += b[blockDim.x * chunks * i + chunk * 1024 + threadIdx.x];
  } else if (eights == 8) {
    for (unsigned i = 0; i < 32; ++i) {
      const unsigned at = (blockDim.x * chunks * i + chunk * 1024) * 2 + threadIdx.x;
      sum += b[at] * b[at + 1024];
    }
  } else {
    __trap();
  }
  sum *= 1.3;
  if (threadIdx.x > 1233 || sum == 23.12) a[threadIdx.x] += sum;
}
