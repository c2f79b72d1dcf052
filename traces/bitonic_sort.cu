// Sorts each block's keys; selects instead of branches, so that lanes never part.

__global__ void bitonic_sort(const unsigned* in, unsigned* out) {
  __shared__ unsigned keys[512];
  unsigned tid = threadIdx.x;
  unsigned n = 2 * blockDim.x;  // a power of two
  unsigned first = blockIdx.x * n + tid;
  keys[tid] = in[first];
  keys[tid + n / 2] = in[first + n / 2];
  for (unsigned k = 2; k <= n; k *= 2)
    for (unsigned j = k / 2; j > 0; j /= 2) {
      __syncthreads();
      unsigned low = 2 * tid - (tid & (j - 1)), high = low + j;
      unsigned a = keys[low], b = keys[high];
      bool swap = (a > b) != ((low & k) != 0);  // every other run of k keys is sorted downwards
      keys[low] = swap ? b : a;
      keys[high] = swap ? a : b;
    }
  __syncthreads();
  out[first] = keys[tid];
  out[first + n / 2] = keys[tid + n / 2];
}
