// Twins: data-dependent branches, and reductions that show the cost of a diverged warp.
#include <cmath>

#include "tools/hardware/kit/twin.h"

#include "traces/bad_reduce.cu"
#include "traces/divergent.cu"
#include "traces/good_reduce.cu"
#include "traces/loop_select.cu"
#include "traces/no_divergence.cu"
#include "traces/sqrt_branch.cu"
#include "traces/sqrt_select.cu"
#include "traces/switch_paths.cu"
#include "traces/with_divergence.cu"

namespace kit {

namespace {

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
