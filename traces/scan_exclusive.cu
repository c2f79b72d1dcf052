// Prefix sums of each block's numbers, by a tree.

__global__ void scan_exclusive(const unsigned* in, unsigned* out) {
  __shared__ unsigned temp[512];
  unsigned tid = threadIdx.x;
  unsigned n = 2 * blockDim.x;  // a power of two
  unsigned first = blockIdx.x * n + tid;
  temp[tid] = in[first];
  temp[tid + n / 2] = in[first + n / 2];
  unsigned offset = 1;
  for (unsigned d = n / 2; d > 0; d >>= 1) {
    __syncthreads();
    if (tid < d) {
      unsigned a = offset * (2 * tid + 1) - 1, b = a + offset;
      temp[b] += temp[a];
    }
    offset *= 2;
  }
  __syncthreads();
  if (tid == 0) temp[n - 1] = 0;
  for (unsigned d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (tid < d) {
      unsigned a = offset * (2 * tid + 1) - 1, b = a + offset;
      unsigned t = temp[a];
      temp[a] = temp[b];
      temp[b] += t;
    }
  }
  __syncthreads();
  out[first] = temp[tid];
  out[first + n / 2] = temp[tid + n / 2];
}
