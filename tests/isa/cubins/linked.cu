// linked.80.cubin and linked.90.cubin: nvcc -rdc=true -cubin -arch=sm_80, or sm_90, of CUDA 13.0, then nvlink -arch=sm_80 -o
// linked.80.cubin on the result.
__device__ int turns = 100;
__device__ int base[3] = {5, 6, 7};

__device__ __noinline__ int squares(int n) {
  return n < 2 ? turns + base[2] : n * n + squares(n - 2);
}

__device__ __noinline__ int twice(int n) {
  return 2 * squares(n);
}

__global__ void linked(int* out) {
  out[threadIdx.x] = twice(threadIdx.x) + base[1];
}
