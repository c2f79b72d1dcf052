// Sums each block's numbers, first form: interleaved partners.
// tid % (2 * s) is written as tid & (2 * s - 1), as in the example, because the compiler's division would
// hide the effect.

__global__ void reduce_v1(float* input, float* output, int N) {
  __shared__ float sdata[256];
  int tid = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  sdata[tid] = (i < N) ? input[i] : 0;
  __syncthreads();
  for (int s = 1; s < blockDim.x; s *= 2) {
    if ((tid & (2 * s - 1)) == 0) sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  if (tid == 0) output[blockIdx.x] = sdata[0];
}
