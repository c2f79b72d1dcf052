// 64 pairs of a load and an addition, each of which waits for the one before.

__global__ void latency(const unsigned* zeros, unsigned* result) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const char* start = (const char*)&zeros[i];
  const char* at = start;
#pragma unroll
  for (int pair = 0; pair < 64; pair++) at += *(const unsigned*)at;  // adds zero
  result[i] = (unsigned)(at - start) + i;
}
