// Prints the compute capability of the first GPU in the form that nvcc's -arch takes. Without a GPU prints a
// message; exit code 3.
#include <cuda_runtime.h>

#include <cstdio>

int main() {
  int count = 0;
  const cudaError_t result = cudaGetDeviceCount(&count);
  cudaDeviceProp properties;
  if (result != cudaSuccess || count == 0 || cudaGetDeviceProperties(&properties, 0) != cudaSuccess) {
    std::fprintf(stderr, "no CUDA device found (%s)\n", cudaGetErrorString(result));
    return 3;
  }
  std::printf("%d%d\n", properties.major, properties.minor);
  return 0;
}
