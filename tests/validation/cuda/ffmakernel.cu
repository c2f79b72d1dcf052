// H100 PCIe: see ../kernels/ffmakernel.sass. A store that never happens keeps the sum.

__device__ float kept;

extern "C" __global__ void ffmakernel(int iters) {
  float y = 0;
#pragma unroll 1
  for (int i = 0; i < iters; ++i) {
#pragma unroll
    for (int j = 0; j < 128; ++j) y = y * 2.0002f + 1.0f;
  }
  if (y == -1) kept = y;
}
