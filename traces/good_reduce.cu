// Sums the numbers of each warp by shuffles, in which all lanes work.

__global__ void good_reduce(float* input, float* output) {
  int tid = threadIdx.x;
  float value = input[tid];
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffff, value, offset);
  if (tid % 32 == 0) output[tid / 32] = value;
}
