// A sparse matrix (CSR) times a vector, one thread a row.

__global__ void spmv_csr(const unsigned* first, const unsigned* column, const float* value, const float* x,
                         float* y, unsigned rows) {
  unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
#pragma unroll 1
  for (unsigned k = first[row]; k < first[row + 1]; k++) sum += value[k] * x[column[k]];
  y[row] = sum;
}
