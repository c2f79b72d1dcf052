// A histogram in shared memory, which each block adds to the one in global memory at its end.

__global__ void histogram_shared(const unsigned* data, unsigned* bins, unsigned n) {
  __shared__ unsigned own[256];
  for (unsigned b = threadIdx.x; b < 256; b += blockDim.x) own[b] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&own[data[i] & 255], 1);
  }
  __syncthreads();
  for (unsigned b = threadIdx.x; b < 256; b += blockDim.x) atomicAdd(&bins[b], own[b]);
}
