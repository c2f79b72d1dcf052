// Reads shared memory with a stride of words between neighbouring threads.
// The tile is read as volatile. Its words never change, so a compiler would otherwise read each only once.

__global__ void shared_stride(unsigned* out, unsigned stride, unsigned iterations) {
  __shared__ unsigned tile[1032];
  unsigned tid = threadIdx.x;
  for (unsigned w = tid; w < 1032; w += blockDim.x) tile[w] = w;
  __syncthreads();
  unsigned first = (tid * stride) & 1023;
  const volatile unsigned* words = tile;
  unsigned sum = 0;
#pragma unroll 1
  for (unsigned k = 0; k < iterations; k++) {
#pragma unroll
    for (int j = 0; j < 8; j++) sum += words[first + j];
  }
  out[blockIdx.x * blockDim.x + tid] = sum;
}
