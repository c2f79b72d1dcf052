// variables.80.cubin and variables.90.cubin: nvcc -cubin -arch=sm_80, or sm_90, of CUDA 13.0.
__device__ unsigned squares[8] = {3, 4, 7, 12, 19, 28, 39, 52};  // i * i + 3
__device__ unsigned turned[8];
__constant__ unsigned last = 7;

__global__ void variables(unsigned* out) {
  unsigned i = threadIdx.x;
  turned[last - i] = i;
  __syncthreads();
  out[i] = squares[i];
  out[8 + i] = turned[i];
}
