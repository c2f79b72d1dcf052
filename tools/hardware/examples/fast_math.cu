// Twins for code compiled with -use_fast_math. This file is compiled in this way.
#include <cmath>

#include "tools/hardware/kit/twin.h"

namespace kit {

namespace {

__global__ void kernel_a(float* data, int n) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < n) {
    float a = data[idx];
    float b = sinf(a);
    float c = cosf(a);
    data[idx] = b + c;
  }
}

/// Keeps so many values alive that a thread of the calling kernel gets 64 registers.
__device__ __forceinline__ void keep_many(float* data) {
#ifdef __CUDA_ARCH__
  constexpr int kKept = 56;
  const volatile float* from = data;
  volatile float* to = data;
  float kept[kKept];
#pragma unroll
  for (int k = 0; k < kKept; k++) kept[k] = from[k];
#pragma unroll
  for (int k = 0; k < kKept; k++) to[k] = kept[kKept - 1 - k];
#endif
}

__global__ void kernel_b(float* data, int n) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  // never executed; it has the effect of `registers: 64` in the launch file
  if (n < 0) keep_many(data + idx);
  if (idx < n) {
    float a = data[idx];
    float b = sinf(a);
    float c = cosf(a);
    float d = b * c;
    float e = b + c;
    float f = d / e;
    data[idx] = f + a;
  }
}

__global__ void nbody(const float4* body, float* force, unsigned n, float softening) {
  KIT_DYNAMIC_SHARED(float4, tile);
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = i < n ? body[i] : make_float4(0, 0, 0, 0);
  float ax = 0, ay = 0, az = 0;
  for (unsigned first = 0; first < n; first += blockDim.x) {
    unsigned j = first + threadIdx.x;
    tile[threadIdx.x] = j < n ? body[j] : make_float4(0, 0, 0, 0);  // without mass there is no force
    __syncthreads();
#pragma unroll 2
    for (unsigned k = 0; k < blockDim.x; k++) {
      float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
      float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening);
      float pull = tile[k].w * (inverse * inverse * inverse);
      ax += dx * pull;
      ay += dy * pull;
      az += dz * pull;
    }
    __syncthreads();
  }
  if (i >= n) return;
  force[3 * i] = ax;
  force[3 * i + 1] = ay;
  force[3 * i + 2] = az;
}

__device__ __forceinline__ float cnd(float d) {  // cumulative normal distribution by a polynomial
  float K = __fdividef(1.0f, 1.0f + 0.2316419f * fabsf(d));
  float cnd =
      0.39894228f * __expf(-0.5f * d * d) *
      (K * (0.31938153f + K * (-0.356563782f + K * (1.781477937f + K * (-1.821255978f + K * 1.330274429f)))));
  return d > 0 ? 1.0f - cnd : cnd;
}

__global__ void black_scholes(float* call, float* put, const float* price, const float* strike,
                              const float* years, float riskfree, float volatility, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float S = price[i], X = strike[i], T = years[i], R = riskfree, V = volatility;
  float sqrtT = __fdividef(1.0f, rsqrtf(T));
  float d1 = __fdividef(__logf(__fdividef(S, X)) + (R + 0.5f * V * V) * T, V * sqrtT);
  float d2 = d1 - V * sqrtT;
  float cnd1 = cnd(d1), cnd2 = cnd(d2);
  float discounted = X * __expf(-R * T);
  call[i] = S * cnd1 - discounted * cnd2;
  put[i] = discounted * (1.0f - cnd2) - S * (1.0f - cnd1);
}

template <class Expected>
Twin make_sine(Values& value, void (*kernel)(float*, int), double tolerance, Expected expected) {
  const unsigned n = value("n", 1081344), block = value("block", 256);
  Twin twin;
  const auto data = twin.add(random_floats(n, 1, 0, 1));
  twin.runs(kernel, {divide_up(n, block), block}, data, n);
  twin.expect(
      data, [=](std::size_t i) { return expected(static_cast<double>(data[i])); }, tolerance);
  return twin;
}

double cumulative_normal(double d) { return std::erfc(-d / std::sqrt(2.0)) / 2; }

}  // namespace

Twin make_kernel_a(Values& value) {
  return make_sine(value, kernel_a, 1e-5, [](double a) { return std::sin(a) + std::cos(a); });
}

Twin make_kernel_b(Values& value) {
  return make_sine(value, kernel_b, 1e-5, [](double a) {
    const double b = std::sin(a), c = std::cos(a);
    return b * c / (b + c) + a;
  });
}

Twin make_nbody(Values& value) {
  const unsigned n = value("n", 4224), block = value("block", 64);
  const float softening = 0.01f;
  Twin twin;
  const auto numbers = random_floats(4 * std::size_t{n}, 1, 0, 1);
  const auto body = twin.add(numbers);  // x, y, z, mass
  const auto force = twin.add(filled<float>(3 * std::size_t{n}));
  twin.runs(nbody, {divide_up(n, block), block, 16 * block}, body, force, n, softening);
  const auto expected = [=](std::size_t i) {
    const std::size_t me = i / 3 * 4, axis = i % 3;
    double sum = 0;
    for (std::size_t j = 0; j < 4 * std::size_t{n}; j += 4) {
      double square = softening;
      for (std::size_t k = 0; k < 3; ++k) {
        const double difference = static_cast<double>(body[j + k]) - body[me + k];
        square += difference * difference;
      }
      sum += (static_cast<double>(body[j + axis]) - body[me + axis]) * body[j + 3] /
             (square * std::sqrt(square));
    }
    return sum;
  };
  twin.expect(force, expected, 1e-4);
  return twin;
}

Twin make_black_scholes(Values& value) {
  const unsigned n = value("n", 540672), block = value("block", 128);
  const float riskfree = 0.02f, volatility = 0.3f;
  Twin twin;
  const auto price = twin.add(random_floats(n, 1, 20, 30));
  const auto strike = twin.add(random_floats(n, 2, 20, 30));
  const auto years = twin.add(random_floats(n, 3, 1, 10));
  const auto call = twin.add(filled<float>(n));
  const auto put = twin.add(filled<float>(n));
  twin.runs(black_scholes, {divide_up(n, block), block}, call, put, price, strike, years, riskfree,
            volatility, n);
  // Uses double precision and the normal distribution itself; the kernel's polynomial has an error of 7.5e-8.
  const auto call_price = [=](std::size_t i) {
    const double S = price[i], X = strike[i], T = years[i], R = riskfree, V = volatility;
    const double d1 = (std::log(S / X) + (R + V * V / 2) * T) / (V * std::sqrt(T));
    return S * cumulative_normal(d1) - X * std::exp(-R * T) * cumulative_normal(d1 - V * std::sqrt(T));
  };
  twin.expect(call, call_price, 1e-3);
  twin.expect(
      put,
      [=](std::size_t i) {
        return call_price(i) - price[i] + strike[i] * std::exp(-static_cast<double>(riskfree) * years[i]);
      },
      1e-3);
  return twin;
}

}  // namespace kit
