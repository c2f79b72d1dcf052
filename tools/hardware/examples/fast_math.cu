// Twins for code compiled with -use_fast_math. This file is compiled in this way.
#include <cmath>

#include "tools/hardware/kit/twin.h"
#include "traces/black_scholes.cu"
#include "traces/kernel_a.cu"
#include "traces/kernel_b.cu"
#include "traces/nbody.cu"

#ifndef __CUDACC__
__shared__ float4 tile[1024];  // the dynamic shared memory of nbody in the emulator
#endif

namespace kit {

namespace {

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
