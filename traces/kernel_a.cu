// Computes again what it needs twice.

__global__ void kernel_a(float* data, int n) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < n) {
    float a = data[idx];
    float b = sinf(a);
    float c = cosf(a);
    data[idx] = b + c;
  }
}
