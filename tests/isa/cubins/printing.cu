// printing.80.cubin: nvcc -cubin -arch=sm_80 of CUDA 13.0. One kernel calls printf, the other does not.
#include <cstdio>
__device__ int table[4] = {1, 2, 3, 4};
__device__ int* second = table + 1;
__constant__ int factors[2] = {5, 7};

extern "C" __global__ void prints(int n) { printf("%d\n", n); }
extern "C" __global__ void adds(int* out) { *out = *second + factors[1]; }
