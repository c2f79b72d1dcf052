// A short branch on the sign of each number.

__global__ void sqrt_branch(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (x[i] > 0)
    y[i] = sqrtf(x[i]);
  else
    y[i] = 0;
}
