// V8: see ../kernels/histogram.sass.

extern "C" __global__ void histogram_global(const unsigned* data, unsigned* bins) {
  atomicAdd(&bins[data[blockIdx.x * blockDim.x + threadIdx.x]], 1);
}

extern "C" __global__ void histogram_shared(const unsigned* data, unsigned* bins) {
  __shared__ unsigned own[512];
  for (unsigned bin = threadIdx.x; bin < 512; bin += blockDim.x) own[bin] = 0;
  __syncthreads();
  atomicAdd(&own[data[blockIdx.x * blockDim.x + threadIdx.x]], 1);
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < 512; bin += blockDim.x) atomicAdd(&bins[bin], own[bin]);
}
