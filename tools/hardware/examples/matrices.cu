// Twins: matrix products, optimized step by step.
#include <cmath>

#include "tools/hardware/kit/twin.h"

#include "traces/matmul_v1.cu"
#include "traces/matmul_v2.cu"
#include "traces/matmul_v3.cu"

namespace kit {

namespace {

Twin make_matmul(unsigned n, Shape shape, void (*kernel)(float*, float*, float*, int)) {
  Twin twin;
  const std::size_t count = std::size_t{n} * n;
  const auto a = twin.add(random_floats(count, 1, 0, 1));
  const auto b = twin.add(random_floats(count, 2, 0, 1));
  const auto c = twin.add(filled<float>(count, -1));
  twin.runs(kernel, shape, a, b, c, n);
  const auto expected = [=](std::size_t i) {
    float sum = 0;
    for (std::size_t k = 0; k < n; ++k) sum = std::fma(a[i / n * n + k], b[k * n + i % n], sum);
    return sum;
  };
  twin.expect(c, expected, 1e-5, 25600);
  return twin;
}

}  // namespace

Twin make_matmul_v1(Values& value) {
  const unsigned n = value("n", 320), blocks = divide_up(n, 16);
  return make_matmul(n, {{blocks, blocks}, {16, 16}}, matmul_v1);
}

Twin make_matmul_v2(Values& value) {
  const unsigned n = value("n", 320), blocks = divide_up(n, 16);
  return make_matmul(n, {{blocks, blocks}, {16, 16}}, matmul_v2);
}

Twin make_matmul_v3(Values& value) {
  const unsigned n = value("n", 320), rows = value("rows", 16);
  return make_matmul(n, {{divide_up(n, 32), divide_up(n, rows)}, {32, rows}}, matmul_v3);
}

}  // namespace kit
