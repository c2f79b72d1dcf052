// Twins: three versions of a block's sum, and a sum in a single launch.
#include "tools/hardware/kit/twin.h"

namespace kit {

namespace {

// tid % (2 * s) is written as tid & (2 * s - 1), as in the example, because the compiler's division would
// hide the effect.
__global__ void reduce_v1(float* input, float* output, int N) {
  __shared__ float sdata[256];
  int tid = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  sdata[tid] = (i < N) ? input[i] : 0;
  __syncthreads();
  for (int s = 1; s < blockDim.x; s *= 2) {
    if ((tid & (2 * s - 1)) == 0) sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  if (tid == 0) output[blockIdx.x] = sdata[0];
}

__global__ void reduce_v2(float* input, float* output, int N) {
  __shared__ float sdata[256];
  int tid = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  sdata[tid] = (i < N) ? input[i] : 0;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  if (tid == 0) output[blockIdx.x] = sdata[0];
}

__device__ __forceinline__ float warp_reduce(float val) {
  for (int offset = 16; offset > 0; offset >>= 1) val += __shfl_down_sync(0xffffffff, val, offset);
  return val;
}

__global__ void reduce_v3(float* input, float* output, int N) {
  int tid = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float val = (i < N) ? input[i] : 0;
  val = warp_reduce(val);
  __shared__ float warpSums[8];
  if (tid % 32 == 0) warpSums[tid / 32] = val;
  __syncthreads();
  if (tid < 32) {
    val = (tid < blockDim.x / 32) ? warpSums[tid] : 0;
    val = warp_reduce(val);
    if (tid == 0) output[blockIdx.x] = val;
  }
}

__global__ void reduce_last_block(const unsigned* in, unsigned* part, unsigned* ticket, unsigned* out,
                                  unsigned n) {
  __shared__ unsigned sum;
  __shared__ bool is_last;
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  if (i < n) atomicAdd(&sum, in[i]);
  __syncthreads();
  if (threadIdx.x == 0) {
    part[blockIdx.x] = sum;
    __threadfence();
    is_last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
    sum = 0;
  }
  __syncthreads();
  if (!is_last) return;
  for (unsigned k = threadIdx.x; k < gridDim.x; k += blockDim.x) atomicAdd(&sum, part[k]);
  __syncthreads();
  if (threadIdx.x == 0) *out = sum;
}

Twin make_reduce(Values& value, void (*kernel)(float*, float*, int)) {
  const unsigned n = value("n", 1081344), block = value("block", 256), blocks = divide_up(n, block);
  Twin twin;
  const auto input = twin.add(each<float>(n, [](std::size_t i) { return (i * 2654435761 >> 16) & 15; }));
  const auto output = twin.add(filled<float>(blocks, -1));
  twin.runs(kernel, {blocks, block}, input, output, n);
  twin.expect(output, [=](std::size_t i) {
    double sum = 0;
    for (std::size_t k = i * block; k < (i + 1) * block && k < n; ++k) sum += input[k];
    return sum;
  });
  return twin;
}

}  // namespace

Twin make_reduce_v1(Values& value) { return make_reduce(value, reduce_v1); }
Twin make_reduce_v2(Values& value) { return make_reduce(value, reduce_v2); }
Twin make_reduce_v3(Values& value) { return make_reduce(value, reduce_v3); }

Twin make_reduce_last_block(Values& value) {
  const unsigned n = value("n", 1081344), block = value("block", 256), blocks = divide_up(n, block);
  Twin twin;
  const auto source = twin.add(each<unsigned>(n, [](std::size_t i) { return i; }));
  const auto part = twin.add(filled<unsigned>(blocks));
  const auto ticket = twin.add(filled<unsigned>(1));
  const auto target = twin.add(filled<unsigned>(1));
  twin.runs(reduce_last_block, {blocks, block}, source, part, ticket, target, n);
  twin.expect(target, [=](std::size_t) { return static_cast<unsigned>(std::uint64_t{n} * (n - 1) / 2); });
  twin.expect(ticket, [](std::size_t) { return 0; });  // it wraps around to 0
  return twin;
}

}  // namespace kit
