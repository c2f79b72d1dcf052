// lines.80.cubin and lines.90.cubin: nvcc -cubin -lineinfo -arch=sm_80, or sm_90, of CUDA 13.0.
__device__ float doubled(float a) {
  return a + a;
}

__global__ void lines(float* x) {
  float a = x[threadIdx.x];

  a = doubled(a);
  x[threadIdx.x] = a;
}
