// Sums each block's numbers, third form: shuffles within warps, one barrier, and the first warp adds up.

__device__ __forceinline__ float warp_reduce(float val) {
  for (int offset = 16; offset > 0; offset >>= 1) val += __shfl_down_sync(0xffffffff, val, offset);
  return val;
}

__global__ void reduce_v3(float* input, float* output, int N) {
  int tid = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float val = (i < N) ? input[i] : 0;
  val = warp_reduce(val);
  __shared__ float warpSums[8];
  if (tid % 32 == 0) warpSums[tid / 32] = val;
  __syncthreads();
  if (tid < 32) {
    val = (tid < blockDim.x / 32) ? warpSums[tid] : 0;
    val = warp_reduce(val);
    if (tid == 0) output[blockIdx.x] = val;
  }
}
