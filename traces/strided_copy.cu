// Copies every stride-th float: neighbouring threads lie `stride` floats apart.

__global__ void strided_copy(const float* in, float* out, unsigned n, unsigned stride) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = in[i * stride];
}
