// The device code of the containers beside this file, as nvcc 13.0 made them:
//   for mode in none speed size; do
//     nvcc -gencode arch=compute_75,code=compute_75 --compress-mode=$mode -fatbin -o $mode.fatbin kernels.cu
//   done
// none is not packed, speed is packed by LZ4, size by zstd. machine.fatbin has machine code and PTX:
//   nvcc -arch=sm_80 -fatbin -o machine.fatbin kernels.cu
__constant__ float factor = 3;
__device__ int calls = 40;
__managed__ int last = 7;

extern "C" __global__ void scale(float* values, float offset) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  values[i] = values[i] * factor + offset;
  if (i == 0) ++calls;
  if (i == gridDim.x * blockDim.x - 1) last = i;
}
