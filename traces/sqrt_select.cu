// The select that replaces the branch of sqrt_branch.

__global__ void sqrt_select(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float result_a = sqrtf(fabsf(x[i]));
  float result_b = 0;
  y[i] = (x[i] > 0) ? result_a : result_b;
}
