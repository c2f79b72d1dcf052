// with_divergence as a select: every thread takes the loop, then keeps its result or the short path's.

__global__ void loop_select(float* data, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    float value = data[i];
    float result_a = value;
#pragma unroll 1
    for (int j = 0; j < 100; j++) result_a = sqrtf(result_a) + j * 0.01f;
    float result_b = value + 1.0f;
    data[i] = (value > 0.5f) ? result_a : result_b;
  }
}
