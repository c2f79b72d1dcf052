// Twins: chains of instructions that depend on each other, in arithmetic and in memory.
#include <cmath>

#include "tools/hardware/kit/twin.h"
#include "traces/ffma_ilp1.cu"
#include "traces/ffma_ilp2.cu"
#include "traces/ffma_ilp4.cu"
#include "traces/latency.cu"
#include "traces/pointer_chase.cu"

namespace kit {

namespace {

template <int kChains>
Twin make_ffma(Values& value, void (*kernel)(float*, float, float, unsigned)) {
  const unsigned blocks = value("blocks", 132), block = value("block", 256),
                 iterations = value("iterations", 16);
  const float a = 0.999f, b = 0.001f;
  Twin twin;
  const auto out = twin.add(filled<float>(blocks * block));
  twin.runs(kernel, {blocks, block}, out, a, b, iterations);
  const auto expected = [=](std::size_t i) {
    float sum = 0;
    for (int c = 0; c < kChains; ++c) {
      float x = static_cast<float>(i + c);
      for (unsigned k = 0; k < iterations * 64 / kChains; ++k) x = std::fma(x, a, b);
      sum += x;
    }
    return sum;
  };
  twin.expect(out, expected, 1e-4, 1024);
  return twin;
}

}  // namespace

Twin make_latency(Values& value) {
  const unsigned warps = value("warps", 1), blocks = value("blocks", warps);
  Twin twin;
  const auto zeros = twin.add(filled<unsigned>(32 * warps));
  const auto result = twin.add(filled<unsigned>(32 * warps, 0xffffffff));
  twin.runs(latency, {blocks, 32 * (warps / blocks)}, zeros, result);
  twin.expect(result, [](std::size_t i) { return i; });
  return twin;
}

Twin make_ffma_ilp1(Values& value) { return make_ffma<1>(value, ffma_ilp1); }
Twin make_ffma_ilp2(Values& value) { return make_ffma<2>(value, ffma_ilp2); }
Twin make_ffma_ilp4(Values& value) { return make_ffma<4>(value, ffma_ilp4); }

Twin make_pointer_chase(Values& value) {
  const unsigned footprint = value("footprint", 65536), stride = value("stride", 128),
                 hops = value("hops", 4096);
  const unsigned multiplier = value("multiplier", 1), increment = value("increment", 1),
                 links = footprint / stride;
  Twin twin;
  const auto chain = twin.add(each<unsigned>(footprint / 4, [=](std::size_t i) {
    const std::uint64_t link = i * 4 / stride;
    return i * 4 % stride == 0 ? (link * multiplier + increment) % links * stride : 0;
  }));
  const auto result = twin.add(filled<unsigned>(1, 0xffffffff));
  twin.runs(pointer_chase, {1, 1}, chain, result, hops);
  twin.expect(result, [=](std::size_t) {
    std::uint64_t link = 0;
    for (unsigned k = 0; k < hops; ++k) link = (link * multiplier + increment) % links;
    return link * stride;
  });
  return twin;
}

}  // namespace kit
