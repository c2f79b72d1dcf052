// A branch on data: values above 0.5 take 100 iterations, the others one addition.

__global__ void with_divergence(float* data, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    float value = data[i];
    if (value > 0.5f) {
#pragma unroll 1
      for (int j = 0; j < 100; j++) value = sqrtf(value) + j * 0.01f;
    } else {
      value = value + 1.0f;
    }
    data[i] = value;
  }
}
