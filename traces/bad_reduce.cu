// Sums a block's numbers by one thread, while the others wait.

__global__ void bad_reduce(float* input, float* output) {
  __shared__ float temp[256];
  int tid = threadIdx.x;
  temp[tid] = input[tid];
  __syncthreads();
  if (tid == 0) {
    float sum = 0;
#pragma unroll 8
    for (int i = 0; i < 256; i++) sum += temp[i];
    output[0] = sum;
  }
}
