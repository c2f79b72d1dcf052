// Twins: the cost of accesses to memory and shared memory, from rows to columns.
#include <cmath>

#include "tools/hardware/kit/twin.h"

#include "traces/saxpy.cu"
#include "traces/shared_stride.cu"
#include "traces/spmv_csr.cu"
#include "traces/stencil_2d.cu"
#include "traces/strided_copy.cu"
#include "traces/transpose_naive.cu"
#include "traces/transpose_padded.cu"
#include "traces/transpose_tiled.cu"
#include "traces/vecadd.cu"

namespace kit {

namespace {

constexpr double kFusedTolerance = 1e-6;  // a product and a sum can be fused or not

Twin make_transpose(Values& value, void (*kernel)(const float*, float*, int, int)) {
  const unsigned width = value("width", 2048), height = value("height", 1056);
  Twin twin;
  const auto source = twin.add(random_floats(std::size_t{width} * height, 1, -1, 1));
  const auto target = twin.add(filled<float>(std::size_t{width} * height));
  twin.runs(kernel, {{divide_up(width, 32), divide_up(height, 32)}, {32, 8}}, source, target, width, height);
  twin.expect(target, [=](std::size_t i) { return source[i % height * width + i / height]; });
  return twin;
}

}  // namespace

Twin make_vecadd(Values& value) {
  const unsigned n = value("n", 1081344), block = value("block", 256);
  Twin twin;
  const auto a = twin.add(random_floats(n, 1, 0, 1));
  const auto b = twin.add(ramp(n));
  const auto c = twin.add(filled<float>(n));
  twin.runs(vecadd, {divide_up(n, block), block}, a, b, c, n);
  twin.expect(c, [=](std::size_t i) { return a[i] + b[i]; });
  return twin;
}

Twin make_saxpy(Values& value) {
  const unsigned n = value("n", 1081344), block = value("block", 256);
  const float a = 0.3f;
  Twin twin;
  const auto x = twin.add(random_floats(n, 1, -1, 1));
  const auto y = twin.add(random_floats(n, 2, -1, 1));
  twin.runs(saxpy, {divide_up(n, block), block}, x, y, a, n);
  twin.expect(
      y, [=](std::size_t i) { return std::fma(a, x[i], y[i]); }, kFusedTolerance);
  return twin;
}

Twin make_strided_copy(Values& value) {
  const unsigned n = value("n", 1081344), block = value("block", 256), stride = value("stride", 1);
  Twin twin;
  const auto source = twin.add(random_floats(std::size_t{n} * stride, 1, 1, 2));
  const auto target = twin.add(filled<float>(std::size_t{n} * stride));
  twin.runs(strided_copy, {divide_up(n, block), block}, source, target, n, stride);
  twin.expect(target, [=](std::size_t i) { return i % stride == 0 ? source[i] : 0; });
  return twin;
}

Twin make_shared_stride(Values& value) {
  const unsigned blocks = value("blocks", 132), block = value("block", 256), stride = value("stride", 1);
  const unsigned iterations = value("iterations", 64);
  Twin twin;
  const auto out = twin.add(filled<unsigned>(blocks * block));
  twin.runs(shared_stride, {blocks, block}, out, stride, iterations);
  twin.expect(out, [=](std::size_t i) {
    const unsigned first = static_cast<unsigned>(i % block) * stride & 1023;
    return iterations * (8 * first + 28);
  });
  return twin;
}

Twin make_transpose_naive(Values& value) { return make_transpose(value, transpose_naive); }
Twin make_transpose_tiled(Values& value) { return make_transpose(value, transpose_tiled); }
Twin make_transpose_padded(Values& value) { return make_transpose(value, transpose_padded); }

Twin make_stencil_2d(Values& value) {
  const unsigned width = value("width", 2048), height = value("height", 1056);
  const float self = 0.5f, others = 0.125f;
  Twin twin;
  const auto source = twin.add(random_floats(std::size_t{width} * height, 1, -1, 1));
  const auto target = twin.add(filled<float>(std::size_t{width} * height));
  twin.runs(stencil_2d, {{divide_up(width, 32), divide_up(height, 8)}, {32, 8}}, source, target, width,
            height, self, others);
  const auto expected = [=](std::size_t i) {
    const std::size_t x = i % width, y = i / width;
    if (x == 0 || y == 0 || x == width - 1 || y == height - 1) return source[i];
    const float sum = source[i - 1] + source[i + 1] + source[i - width] + source[i + width];
    return std::fma(source[i], self, sum * others);
  };
  twin.expect(target, expected, kFusedTolerance);
  return twin;
}

Twin make_spmv_csr(Values& value) {
  const unsigned rows = value("rows", 65536), columns = value("columns", 65536), block = value("block", 64);
  std::vector<unsigned> starts = {0};
  for (unsigned row = 0; row < rows; ++row) starts.push_back(starts.back() + 64 / (1 + row * 11 % 32));
  const unsigned elements = starts.back();
  Twin twin;
  const auto first = twin.add(starts);
  const auto column = twin.add(each<unsigned>(
      elements, [=](std::size_t i) { return (std::uint64_t{i} * 2654435761u >> 9) % columns; }));
  const auto element = twin.add(random_floats(elements, 1, -1, 1));
  const auto x = twin.add(random_floats(columns, 2, -1, 1));
  const auto y = twin.add(filled<float>(rows, -1));
  twin.runs(spmv_csr, {divide_up(rows, block), block}, first, column, element, x, y, rows);
  const auto expected = [=](std::size_t i) {
    float sum = 0;
    for (unsigned k = first[i]; k < first[i + 1]; ++k) sum = std::fma(element[k], x[column[k]], sum);
    return sum;
  };
  twin.expect(y, expected, 1e-5);
  return twin;
}

}  // namespace kit
