// The Mandelbrot set: a loop that lanes leave one by one.

__global__ void mandelbrot(unsigned* count, int width, int height, float left, float top, float step,
                           int limit) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float cr = fmaf(x, step, left), ci = fmaf(y, step, top);
  float zr = 0, zi = 0;
  int n = 0;
#pragma unroll 1
  while (n < limit) {
    // Fused as in the example; one rounding more or less can decide whether a point escapes.
    float zi2 = zi * zi;
    if (fmaf(zr, zr, zi2) > 4) break;
    float twice = zr + zr;
    zr = fmaf(zr, zr, -zi2) + cr;
    zi = fmaf(twice, zi, ci);
    n++;
  }
  count[y * width + x] = n;
}
