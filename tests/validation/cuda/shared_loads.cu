// V6: sums of 256 elements of shared memory that 32 lanes read a stride apart: in one place (0), in a row (1), or so that
// `stride` of them meet in a bank (github kzwrime/gpu_shm_microbench). Blocks of 128 threads there; here one of 1024 in
// which every fourth warp reads the same. There nvcc unrolls all 256 loads by itself, where the stride is a number of its own.

template <typename T>
__device__ T sum_of(T a, T b);
template <>
__device__ float sum_of(float a, float b) { return a + b; }
template <>
__device__ float2 sum_of(float2 a, float2 b) { return {a.x + b.x, a.y + b.y}; }
template <>
__device__ float4 sum_of(float4 a, float4 b) { return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w}; }

template <typename T>
__device__ void loads(unsigned rounds, unsigned stride) {
  constexpr unsigned kCount = 1024 * sizeof(float4) / sizeof(T);
  __shared__ T tile[kCount];
  const unsigned thread = threadIdx.x % 128;
  for (unsigned i = threadIdx.x; i < kCount; i += blockDim.x) tile[i] = T{};
  const unsigned first = stride == 0 ? thread / 32 : thread % stride * 32 + thread / stride;
  T sum{};
  for (unsigned round = 0; round < rounds; ++round) {
#pragma unroll
    for (unsigned j = 0; j < 256; ++j) sum = sum_of(sum, tile[first + j]);
    tile[thread + round % 256] = sum;
  }
}

extern "C" __global__ void shared_4(unsigned rounds, unsigned stride) { loads<float>(rounds, stride); }
extern "C" __global__ void shared_8(unsigned rounds, unsigned stride) { loads<float2>(rounds, stride); }
extern "C" __global__ void shared_16(unsigned rounds, unsigned stride) { loads<float4>(rounds, stride); }
