// V9: see ../kernels/vecadd_2d.sass.

extern "C" __global__ void vecadd_2d_x_major(const unsigned* a, const unsigned* b, unsigned* c, int n) {
  const int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  const int index = i * n + j;
  if (i < n && j < n) c[index] = a[index] + b[index];
}

extern "C" __global__ void vecadd_2d_y_major(const unsigned* a, const unsigned* b, unsigned* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  const int index = i * n + j;
  if (i < n && j < n) c[index] = a[index] + b[index];
}
