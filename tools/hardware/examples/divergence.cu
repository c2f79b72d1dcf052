// Twins: data-dependent branches, and reductions that show the cost of a diverged warp.
#include <cmath>

#include "tools/hardware/kit/twin.h"

namespace kit {

namespace {

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

__global__ void no_divergence(float* data, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    float value = data[i];
#pragma unroll 1
    for (int j = 0; j < 100; j++) value = sqrtf(value) + j * 0.01f;
    data[i] = value;
  }
}

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

__global__ void sqrt_branch(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (x[i] > 0)
    y[i] = sqrtf(x[i]);
  else
    y[i] = 0;
}

__global__ void sqrt_select(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float result_a = sqrtf(fabsf(x[i]));
  float result_b = 0;
  y[i] = (x[i] > 0) ? result_a : result_b;
}

/// value * factor + i. It is written in PTX; otherwise the compiler would compute the factor from the case
/// and remove the switch.
template <unsigned kFactor>
__device__ __forceinline__ void path(unsigned& value, unsigned i) {
#ifdef __CUDA_ARCH__
  asm volatile("mad.lo.u32 %0, %0, %1, %2;" : "+r"(value) : "n"(kFactor), "r"(i));
#else
  value = value * kFactor + i;
#endif
}

#define PATH(k)                  \
  case k:                        \
    path<2 * (k) + 3>(value, i); \
    break;
#define PATHS(k) PATH(k) PATH(k + 1) PATH(k + 2) PATH(k + 3)

__global__ void switch_paths(unsigned* data, unsigned paths) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value = data[i];
  switch (threadIdx.x % 32 * paths / 32) {
    PATHS(0) PATHS(4) PATHS(8) PATHS(12) PATHS(16) PATHS(20) PATHS(24) PATHS(28)
  }
  data[i] = value;
}

#undef PATHS
#undef PATH

__global__ void bad_reduce(float* input, float* output) {
  __shared__ float temp[256];
  int tid = threadIdx.x;
  temp[tid] = input[tid];
  __syncthreads();
  if (tid == 0) {
    float sum = 0;
#pragma unroll 8
    for (int i = 0; i < 256; i++) sum += temp[i];
    output[0] = sum;
  }
}

__global__ void good_reduce(float* input, float* output) {
  int tid = threadIdx.x;
  float value = input[tid];
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffff, value, offset);
  if (tid % 32 == 0) output[tid / 32] = value;
}

constexpr double kRootTolerance = 1e-5;  // a sum may be fused with the product or not

float long_path(float value) {
  for (int j = 0; j < 100; ++j) value = std::fma(static_cast<float>(j), 0.01f, std::sqrt(value));
  return value;
}

Twin make_divergent(Values& value, unsigned a_lanes) {
  const unsigned block = value("block", 32);
  a_lanes = value("a_lanes", a_lanes);
  const int threshold = static_cast<int>(value("threshold", 1));
  Twin twin;
  twin.kernel_name = "divergent";
  const auto data = twin.add(each<int>(block, [=](std::size_t i) { return i % 32 < a_lanes ? 3 : 1; }));
  twin.runs(divergent, {1, block}, data, threshold);
  twin.expect(data, [=](std::size_t i) {
    unsigned x = static_cast<unsigned>(data[i]);
    if (data[i] <= threshold) return data[i] + 1;
    for (unsigned j = 0; j < 100; ++j) x = x * x + j;
    return static_cast<int>(x);
  });
  return twin;
}

enum class Order { Interleaved, Grouped };

/// A twin for one of the kernels that take a float per thread. The values are below and above 0.5,
/// alternating or sorted.
Twin make_rooted(Values& value, void (*kernel)(float*, int), Order order, bool short_path) {
  const unsigned n = value("n", 270336), block = value("block", 256);
  Twin twin;
  const auto data = twin.add(each<float>(n, [=](std::size_t i) {
    const std::size_t place = order == Order::Grouped ? i : i % 2 * (n / 2) + i / 2;
    return (static_cast<double>(place) + 0.5) / n;
  }));
  twin.runs(kernel, {divide_up(n, block), block}, data, n);
  const auto expected = [=](std::size_t i) {
    return short_path && data[i] <= 0.5f ? data[i] + 1 : long_path(data[i]);
  };
  twin.expect(data, expected, kRootTolerance);
  return twin;
}

Twin make_root(Values& value, void (*kernel)(const float*, float*, int)) {
  const unsigned n = value("n", 1081344), block = value("block", 256);
  Twin twin;
  const auto x = twin.add(each<float>(
      n, [](std::size_t i) { return i % 2 == 0 ? static_cast<double>(i) : -static_cast<double>(i); }));
  const auto y = twin.add(filled<float>(n, -1));
  twin.runs(kernel, {divide_up(n, block), block}, x, y, n);
  twin.expect(y, [=](std::size_t i) { return x[i] > 0 ? std::sqrt(x[i]) : 0.0f; });
  return twin;
}

Twin make_with_divergence(Values& value, Order order) {
  Twin twin = make_rooted(value, with_divergence, order, true);
  twin.kernel_name = "with_divergence";
  return twin;
}

Twin make_loop_select(Values& value, Order order) {
  Twin twin = make_rooted(value, loop_select, order, true);
  twin.kernel_name = "loop_select";
  return twin;
}

std::vector<float> small_numbers() {
  return each<float>(256, [](std::size_t i) { return (i * 2654435761u >> 16) & 15; });
}

}  // namespace

Twin make_divergent_all_a(Values& value) { return make_divergent(value, 32); }
Twin make_divergent_all_b(Values& value) { return make_divergent(value, 0); }
Twin make_divergent_16_16(Values& value) { return make_divergent(value, 16); }
Twin make_divergent_31a_1b(Values& value) { return make_divergent(value, 31); }
Twin make_divergent_1a_31b(Values& value) { return make_divergent(value, 1); }

Twin make_with_divergence_interleaved(Values& value) { return make_with_divergence(value, Order::Interleaved); }
Twin make_with_divergence_grouped(Values& value) { return make_with_divergence(value, Order::Grouped); }
Twin make_no_divergence(Values& value) {
  return make_rooted(value, no_divergence, Order::Interleaved, false);
}
Twin make_loop_select_interleaved(Values& value) { return make_loop_select(value, Order::Interleaved); }
Twin make_loop_select_grouped(Values& value) { return make_loop_select(value, Order::Grouped); }

Twin make_sqrt_branch(Values& value) { return make_root(value, sqrt_branch); }
Twin make_sqrt_select(Values& value) { return make_root(value, sqrt_select); }

Twin make_switch_paths(Values& value) {
  const unsigned paths = value("paths", 32), blocks = value("blocks", 1056), block = value("block", 256);
  Twin twin;
  const auto data = twin.add(each<unsigned>(blocks * block, [](std::size_t i) { return i * 2654435761u; }));
  twin.runs(switch_paths, {blocks, block}, data, paths);
  twin.expect(data, [=](std::size_t i) {
    const std::size_t path = i % block % 32 * paths / 32;
    return static_cast<unsigned>(data[i] * (2 * path + 3) + i);
  });
  return twin;
}

Twin make_bad_reduce(Values&) {
  Twin twin;
  const auto input = twin.add(small_numbers());
  const auto output = twin.add(filled<float>(1, -1));
  twin.runs(bad_reduce, {1, 256}, input, output);
  twin.expect(output, [=](std::size_t) {
    double sum = 0;
    for (std::size_t k = 0; k < 256; ++k) sum += input[k];
    return sum;
  });
  return twin;
}

Twin make_good_reduce(Values&) {
  Twin twin;
  const auto input = twin.add(small_numbers());
  const auto output = twin.add(filled<float>(8, -1));
  twin.runs(good_reduce, {1, 256}, input, output);
  twin.expect(output, [=](std::size_t i) {
    double sum = 0;
    for (std::size_t k = 32 * i; k < 32 * i + 32; ++k) sum += input[k];
    return sum;
  });
  return twin;
}

}  // namespace kit
