// The common part of the twins that multiply half-precision matrices.
#pragma once

#include "tools/hardware/examples/tensor.h"
#include "tools/hardware/kit/twin.h"

namespace kit {

using HalfKernel = void (*)(const Half*, const Half*, float*, int, int);

/// The extents of C = A B: C is m x n, A is m x k, B is k x n, all row-major.
struct HalfProduct {
  unsigned m, n, k;
};

inline int small_a(std::size_t i) { return static_cast<int>(i * 7919 % 1009 % 9) - 4; }
inline int small_b(std::size_t i) { return static_cast<int>(i * 104729 % 2003 % 9) - 4; }

/// The elements are small whole numbers, so that all sums are exact in any order and width.
inline Twin make_product(HalfProduct product, HalfKernel kernel, Shape shape) {
  const unsigned m = product.m, n = product.n, k = product.k;
  Twin twin;
  const auto a = twin.add(each<Half>(std::size_t{m} * k, [](std::size_t i) { return half_of(small_a(i)); }));
  const auto b = twin.add(each<Half>(std::size_t{k} * n, [](std::size_t i) { return half_of(small_b(i)); }));
  const auto c = twin.add(filled<float>(std::size_t{m} * n, -1));
  twin.runs(kernel, shape, a, b, c, n, k);
  twin.expect(
      c,
      [=](std::size_t i) {
        int sum = 0;
        for (std::size_t j = 0; j < k; ++j) sum += small_a(i / n * k + j) * small_b(j * n + i % n);
        return sum;
      },
      0, 25600);
  return twin;
}

}  // namespace kit
