// Twins: a scan, a sort, and a loop that lanes leave at different times.
#include <cmath>

#include "tools/hardware/kit/twin.h"

namespace kit {

namespace {

__global__ void scan_exclusive(const unsigned* in, unsigned* out) {
  __shared__ unsigned temp[512];
  unsigned tid = threadIdx.x;
  unsigned n = 2 * blockDim.x;  // a power of two
  unsigned first = blockIdx.x * n + tid;
  temp[tid] = in[first];
  temp[tid + n / 2] = in[first + n / 2];
  unsigned offset = 1;
  for (unsigned d = n / 2; d > 0; d >>= 1) {
    __syncthreads();
    if (tid < d) {
      unsigned a = offset * (2 * tid + 1) - 1, b = a + offset;
      temp[b] += temp[a];
    }
    offset *= 2;
  }
  __syncthreads();
  if (tid == 0) temp[n - 1] = 0;
  for (unsigned d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (tid < d) {
      unsigned a = offset * (2 * tid + 1) - 1, b = a + offset;
      unsigned t = temp[a];
      temp[a] = temp[b];
      temp[b] += t;
    }
  }
  __syncthreads();
  out[first] = temp[tid];
  out[first + n / 2] = temp[tid + n / 2];
}

__global__ void bitonic_sort(const unsigned* in, unsigned* out) {
  __shared__ unsigned keys[512];
  unsigned tid = threadIdx.x;
  unsigned n = 2 * blockDim.x;  // a power of two
  unsigned first = blockIdx.x * n + tid;
  keys[tid] = in[first];
  keys[tid + n / 2] = in[first + n / 2];
  for (unsigned k = 2; k <= n; k *= 2)
    for (unsigned j = k / 2; j > 0; j /= 2) {
      __syncthreads();
      unsigned low = 2 * tid - (tid & (j - 1)), high = low + j;
      unsigned a = keys[low], b = keys[high];
      bool swap = (a > b) != ((low & k) != 0);  // every other run of k keys is sorted downwards
      keys[low] = swap ? b : a;
      keys[high] = swap ? a : b;
    }
  __syncthreads();
  out[first] = keys[tid];
  out[first + n / 2] = keys[tid + n / 2];
}

__global__ void mandelbrot(unsigned* count, int width, int height, float left, float top, float step,
                           int limit) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float cr = fmaf(x, step, left), ci = fmaf(y, step, top);
  float zr = 0, zi = 0;
  int n = 0;
#pragma unroll 1
  while (n < limit) {
    // Fused as in the example; one rounding more or less can decide whether a point escapes.
    float zi2 = zi * zi;
    if (fmaf(zr, zr, zi2) > 4) break;
    float twice = zr + zr;
    zr = fmaf(zr, zr, -zi2) + cr;
    zi = fmaf(twice, zi, ci);
    n++;
  }
  count[y * width + x] = n;
}

}  // namespace

Twin make_scan_exclusive(Values& value) {
  const unsigned blocks = value("blocks", 1056), block = value("block", 256), each_block = 2 * block;
  Twin twin;
  const auto source = twin.add(
      each<unsigned>(blocks * each_block, [](std::size_t i) { return i * 2654435761 >> 20 & 4095; }));
  const auto target = twin.add(filled<unsigned>(blocks * each_block));
  twin.runs(scan_exclusive, {blocks, block}, source, target);
  twin.expect(target, [=](std::size_t i) {
    unsigned sum = 0;
    for (std::size_t k = i / each_block * each_block; k < i; ++k) sum += source[k];
    return sum;
  });
  return twin;
}

Twin make_bitonic_sort(Values& value) {
  const unsigned blocks = value("blocks", 528), block = value("block", 256), each_block = 2 * block;
  Twin twin;
  const auto source = twin.add(each<unsigned>(blocks * each_block, [=](std::size_t i) {
    return (i * 421 + 77) % each_block * 8388607 + i / each_block;
  }));
  const auto target = twin.add(filled<unsigned>(blocks * each_block));
  twin.runs(bitonic_sort, {blocks, block}, source, target);
  twin.expect(target, [=](std::size_t i) {
    return static_cast<unsigned>(i % each_block * 8388607 + i / each_block);
  });
  return twin;
}

Twin make_mandelbrot(Values& value) {
  const unsigned width = value("width", 768), height = value("height", 512), limit = value("limit", 100);
  const unsigned wide = value("wide", 32), high = 256 / wide;
  const float left = -2, top = -1, step = static_cast<float>(2.0 / height);
  Twin twin;
  const auto count = twin.add(filled<unsigned>(width * height, 0xffffffff));
  twin.runs(mandelbrot, {{divide_up(width, wide), divide_up(height, high)}, {wide, high}}, count, width,
            height, left, top, step, limit);
  twin.expect(count, [=](std::size_t i) {
    const float cr = std::fma(static_cast<float>(i % width), step, left);
    const float ci = std::fma(static_cast<float>(i / width), step, top);
    float zr = 0, zi = 0;
    unsigned n = 0;
    for (; n < limit; ++n) {
      const float square = zi * zi;
      if (std::fma(zr, zr, square) > 4) break;
      const float twice = zr + zr;
      zr = std::fma(zr, zr, -square) + cr;
      zi = std::fma(twice, zi, ci);
    }
    return n;
  });
  return twin;
}

}  // namespace kit
