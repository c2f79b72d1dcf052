// A branch on data: a path of 100 instructions and one of a single addition.

__global__ void divergent(int* data, int threshold) {
  int i = threadIdx.x;
  int value = data[i];
  if (value > threshold) {
#pragma unroll
    for (int j = 0; j < 100; j++) value = value * value + j;
  } else {
    value = value + 1;
  }
  data[i] = value;
}
