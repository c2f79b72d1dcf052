// Further optimization steps that the examples lack: the seven steps of the reduction in M. Harris,
// "Optimizing Parallel Reduction in CUDA", with __syncwarp() because warps no longer run in lockstep, and the
// copy that is an upper bound for a transpose.
#include "tools/hardware/examples/steps.h"

namespace kit {

namespace {

constexpr unsigned kBlock = 512;  // as in tests/validation/kernels/reduction.sass

// Step 1: interleaved partners, found by a remainder. Step 2: strided index. Step 3: sequential addressing.
// Step 4: two loads per thread. Step 5: last warp unrolled. Step 6: completely unrolled. Step 7: many loads
// per thread.
template <int kStep>
__device__ __forceinline__ unsigned load(const unsigned* in, unsigned n) {
  const unsigned tid = threadIdx.x;
  if constexpr (kStep < 4) return in[blockIdx.x * kBlock + tid];
  unsigned i = blockIdx.x * kBlock * 2 + tid, sum = in[i] + in[i + kBlock];
  if constexpr (kStep == 7)
    for (i += gridDim.x * kBlock * 2; i < n; i += gridDim.x * kBlock * 2) sum += in[i] + in[i + kBlock];
  return sum;
}

__device__ __forceinline__ void reduce_last_warp(volatile unsigned* sums, unsigned tid) {
#pragma unroll
  for (unsigned s = 32; s > 0; s >>= 1) {
    const unsigned other = sums[tid + s];
    __syncwarp();
    sums[tid] = sums[tid] + other;
    __syncwarp();
  }
}

template <int kStep>
__device__ __forceinline__ void reduce_in_loop(unsigned* sums, unsigned tid) {
  if (kStep == 1) {
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
      if (tid % (2 * s) == 0) sums[tid] += sums[tid + s];
      __syncthreads();
    }
  } else if (kStep == 2) {
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
      const unsigned index = 2 * s * tid;
      if (index < blockDim.x) sums[index] += sums[index + s];
      __syncthreads();
    }
  } else {
    for (unsigned s = blockDim.x / 2; s > (kStep < 5 ? 0 : 32); s >>= 1) {
      if (tid < s) sums[tid] += sums[tid + s];
      __syncthreads();
    }
  }
}

template <int kStep>
__global__ void reduction(const unsigned* in, unsigned* out, unsigned n) {
  __shared__ unsigned sums[kBlock + 32];
  const unsigned tid = threadIdx.x;
  sums[tid] = load<kStep>(in, n);
  __syncthreads();
  if (kStep < 6) {
    reduce_in_loop<kStep>(sums, tid);
  } else {
    if (tid < 256) sums[tid] += sums[tid + 256];
    __syncthreads();
    if (tid < 128) sums[tid] += sums[tid + 128];
    __syncthreads();
    if (tid < 64) sums[tid] += sums[tid + 64];
    __syncthreads();
  }
  if (kStep >= 5 && tid < 32) reduce_last_warp(sums, tid);
  if (tid == 0) out[blockIdx.x] = sums[0];
}

template <int kStep>
Twin make_reduction(unsigned n, unsigned blocks_of_last) {
  const unsigned blocks = kStep < 4 ? n / kBlock : kStep < 7 ? n / kBlock / 2 : blocks_of_last;
  Twin twin;
  const auto in = twin.add(each<unsigned>(n, [](std::size_t i) { return i * 2654435761u; }));
  const auto out = twin.add(filled<unsigned>(blocks, 0xffffffff));
  twin.runs(reduction<kStep>, {blocks, kBlock}, in, out, n);
  twin.expect(out, [=](std::size_t block) {
    const std::size_t piece = kStep < 4 ? kBlock : 2 * kBlock;
    unsigned sum = 0;
    for (std::size_t first = block * piece; first < n; first += blocks * piece)
      for (std::size_t i = first; i < first + piece; ++i) sum += in[i];
    return sum;
  });
  return twin;
}

__global__ void copy(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height) out[(y + j) * width + x] = in[(y + j) * width + x];
}

}  // namespace

Twin make_matrix_copy(unsigned width, unsigned height) {
  Twin twin;
  const auto in = twin.add(random_floats(std::size_t{width} * height, 1, -1, 1));
  const auto out = twin.add(filled<float>(std::size_t{width} * height));
  twin.runs(copy, {{width / 32, height / 32}, {32, 8}}, in, out, width, height);
  twin.expect(out, [=](std::size_t i) { return in[i]; });
  return twin;
}

Twin make_reduction_step(int step, unsigned n, unsigned blocks_of_last) {
  static constexpr Twin (*kMakers[kReductionSteps])(unsigned, unsigned) = {
      make_reduction<1>, make_reduction<2>, make_reduction<3>, make_reduction<4>,
      make_reduction<5>, make_reduction<6>, make_reduction<7>};
  return kMakers[step - 1](n, blocks_of_last);
}

}  // namespace kit
