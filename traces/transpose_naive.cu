// Transposes a matrix: reads along rows and writes along columns.

__global__ void transpose_naive(const float* in, float* out, int width, int height) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height) out[x * height + y + j] = in[(y + j) * width + x];
}
