// Twins: the cost of accesses to memory and shared memory, from rows to columns.
#include <cmath>

#include "tools/hardware/kit/twin.h"

namespace kit {

namespace {

__global__ void vecadd(const float* a, const float* b, float* c, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void saxpy(const float* x, float* y, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void strided_copy(const float* in, float* out, unsigned n, unsigned stride) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = in[i * stride];
}

// The tile is read as volatile. Its words never change, so a compiler would otherwise read each only once.
__global__ void shared_stride(unsigned* out, unsigned stride, unsigned iterations) {
  __shared__ unsigned tile[1032];
  unsigned tid = threadIdx.x;
  for (unsigned w = tid; w < 1032; w += blockDim.x) tile[w] = w;
  __syncthreads();
  unsigned first = (tid * stride) & 1023;
  const volatile unsigned* words = tile;
  unsigned sum = 0;
#pragma unroll 1
  for (unsigned k = 0; k < iterations; k++) {
#pragma unroll
    for (int j = 0; j < 8; j++) sum += words[first + j];
  }
  out[blockIdx.x * blockDim.x + tid] = sum;
}

__global__ void transpose_naive(const float* in, float* out, int width, int height) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height) out[x * height + y + j] = in[(y + j) * width + x];
}

template <int kRow>
__device__ __forceinline__ void transpose_by_tile(float (*tile)[kRow], const float* in, float* out, int width,
                                                  int height) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
  for (int j = 0; j < 32; j += 8)
    if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void transpose_tiled(const float* in, float* out, int width, int height) {
  __shared__ float tile[32][32];
  transpose_by_tile(tile, in, out, width, height);
}

__global__ void transpose_padded(const float* in, float* out, int width, int height) {
  __shared__ float tile[32][33];
  transpose_by_tile(tile, in, out, width, height);
}

__global__ void stencil_2d(const float* in, float* out, int width, int height, float self, float others) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int i = y * width + x;
  float value = in[i];
  if (x > 0 && y > 0 && x < width - 1 && y < height - 1)
    value = self * value + others * (((in[i - 1] + in[i + 1]) + in[i - width]) + in[i + width]);
  out[i] = value;
}

__global__ void spmv_csr(const unsigned* first, const unsigned* column, const float* value, const float* x,
                         float* y, unsigned rows) {
  unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
#pragma unroll 1
  for (unsigned k = first[row]; k < first[row + 1]; k++) sum += value[k] * x[column[k]];
  y[row] = sum;
}

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
