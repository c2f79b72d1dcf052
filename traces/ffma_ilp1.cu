// One chain of dependent multiply-adds in each thread.

__global__ void ffma_ilp1(float* out, float a, float b, unsigned iterations) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float x0 = i;
#pragma unroll 1
  for (unsigned k = 0; k < iterations; k++) {
#pragma unroll
    for (int j = 0; j < 64; j++) x0 = x0 * a + b;
  }
  out[i] = x0;
}
