// A histogram: an atomic in global memory for each number.

__global__ void histogram_global(const unsigned* data, unsigned* bins, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&bins[data[i] & 255], 1);
  }
}
