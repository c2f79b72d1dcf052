// A five-point stencil.

__global__ void stencil_2d(const float* in, float* out, int width, int height, float self, float others) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int i = y * width + x;
  float value = in[i];
  if (x > 0 && y > 0 && x < width - 1 && y < height - 1)
    value = self * value + others * (((in[i - 1] + in[i + 1]) + in[i - width]) + in[i + width]);
  out[i] = value;
}
