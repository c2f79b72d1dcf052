// Twins: a scan, a sort, and a loop that lanes leave at different times.
#include <cmath>

#include "tools/hardware/kit/twin.h"

#include "traces/bitonic_sort.cu"
#include "traces/mandelbrot.cu"
#include "traces/scan_exclusive.cu"

namespace kit {

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
