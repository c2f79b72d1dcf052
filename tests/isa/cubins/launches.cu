// launches.80.cubin, launches.90.cubin: nvcc -cubin -rdc=true -arch=sm_80 (sm_90) of CUDA 13.0. A kernel launches another.
extern "C" __global__ void launched(int* out, int value) { out[threadIdx.x] = value; }

extern "C" __global__ void launches(int* out) {
  if (threadIdx.x % 2 == 0) launched<<<dim3(2, 3, 4), dim3(5, 6, 7), 16>>>(out, blockIdx.x + 40);
}
