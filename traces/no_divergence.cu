// Every thread takes the 100 iterations.

__global__ void no_divergence(float* data, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    float value = data[i];
#pragma unroll 1
    for (int j = 0; j < 100; j++) value = sqrtf(value) + j * 0.01f;
    data[i] = value;
  }
}
