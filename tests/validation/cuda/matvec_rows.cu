// V9: see ../kernels/matvec_rows.sass.

extern "C" __global__ void matvec_rows(unsigned* out, const unsigned* matrix, const unsigned* vector, int rows, int columns) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  unsigned sum = 0;
  for (int k = 0; k < columns; ++k) sum += matrix[i * columns + k] * vector[k];
  out[i] = sum;
}
