#include "tests/examples/references.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>

#include "tests/examples/launch_values.h"

namespace heddle::examples {

namespace {

std::vector<std::byte> vecadd(const LaunchFile& before) {
  const auto a = contents<float>(before, "a");
  const auto b = contents<float>(before, "b");
  auto c = contents<float>(before, "c");
  for (std::uint32_t i = 0; i < whole(before, "n"); ++i) c[i] = a[i] + b[i];
  return bytes_of(c);
}

std::vector<std::byte> divergent(const LaunchFile& before) {
  auto data = contents<std::int32_t>(before, "data");
  const auto threshold = static_cast<std::int32_t>(whole(before, "threshold"));
  for (std::int32_t& element : data) {
    auto value = static_cast<std::uint32_t>(element);  // int overflow wraps on a GPU
    if (element > threshold) {
      for (std::uint32_t j = 0; j < 100; ++j) value = value * value + j;
    } else {
      value = value + 1;
    }
    element = static_cast<std::int32_t>(value);
  }
  return bytes_of(data);
}

float hundred_roots(float value) {
  for (int j = 0; j < 100; ++j) value = std::fma(static_cast<float>(j), 0.01F, std::sqrt(value));
  return value;
}

std::vector<std::byte> with_divergence(const LaunchFile& before) {
  auto data = contents<float>(before, "data");
  for (std::uint32_t i = 0; i < whole(before, "n"); ++i) {
    data[i] = data[i] > 0.5F ? hundred_roots(data[i]) : data[i] + 1.0F;
  }
  return bytes_of(data);
}

std::vector<std::byte> no_divergence(const LaunchFile& before) {
  auto data = contents<float>(before, "data");
  for (std::uint32_t i = 0; i < whole(before, "n"); ++i) data[i] = hundred_roots(data[i]);
  return bytes_of(data);
}

std::vector<std::byte> root_or_zero(const LaunchFile& before) {
  const auto x = contents<float>(before, "x");
  auto y = contents<float>(before, "y");
  for (std::uint32_t i = 0; i < whole(before, "n"); ++i) y[i] = x[i] > 0 ? std::sqrt(x[i]) : 0.0F;
  return bytes_of(y);
}

/// Sums of `span` elements each; whole numbers small enough that no order rounds.
std::vector<float> sums(const std::vector<float>& input, std::size_t span) {
  std::vector<float> output((input.size() + span - 1) / span);
  for (std::size_t i = 0; i < input.size(); ++i) output[i / span] += input[i];
  return output;
}

std::vector<std::byte> reduce(const LaunchFile& before) {
  return bytes_of(sums(contents<float>(before, "input"), before.launch.block.x));
}

std::vector<std::byte> warp_sums(const LaunchFile& before) {
  return bytes_of(sums(contents<float>(before, "input"), 32));
}

std::vector<std::byte> latency(const LaunchFile& before) {
  const auto zeros = contents<std::uint32_t>(before, "zeros");
  auto result = contents<std::uint32_t>(before, "result");
  for (std::uint32_t i = 0; i < threads(before); ++i) {
    std::uint32_t at = 4 * i;
    for (int pair = 0; pair < 64; ++pair) at += zeros[at / 4];
    result[i] = at - 4 * i + i;
  }
  return bytes_of(result);
}

template <std::size_t kChains>
std::vector<std::byte> ffma(const LaunchFile& before) {
  const float a = real(before, "a");
  const float b = real(before, "b");
  auto out = contents<float>(before, "out");
  for (std::uint32_t i = 0; i < threads(before); ++i) {
    std::array<float, kChains> x;
    for (std::uint32_t k = 0; k < kChains; ++k) x[k] = static_cast<float>(i + k);
    for (std::uint32_t step = 0; step < whole(before, "iterations") * (64 / kChains); ++step) {
      for (float& chain : x) chain = std::fma(chain, a, b);
    }
    // Pairs first, as the kernel adds them.
    for (std::size_t width = 1; width < kChains; width *= 2) {
      for (std::size_t k = 0; k + width < kChains; k += 2 * width) x[k] += x[k + width];
    }
    out[i] = x[0];
  }
  return bytes_of(out);
}

std::vector<std::byte> pointer_chase(const LaunchFile& before) {
  const auto chain = contents<std::uint32_t>(before, "chain");
  std::uint32_t at = 0;
  for (std::uint32_t hop = 0; hop < whole(before, "hops"); ++hop) at = chain[at / 4];
  return bytes_of(std::vector{at});
}

std::vector<std::byte> strided_copy(const LaunchFile& before) {
  const auto source = contents<float>(before, "source");
  auto target = contents<float>(before, "target");
  const std::size_t stride = whole(before, "stride");
  for (std::size_t i = 0; i < whole(before, "n"); ++i) target[i * stride] = source[i * stride];
  return bytes_of(target);
}

std::vector<std::byte> shared_stride(const LaunchFile& before) {
  auto out = contents<std::uint32_t>(before, "out");
  const std::uint32_t block = before.launch.block.x;
  for (std::uint32_t i = 0; i < threads(before); ++i) {
    const std::uint32_t first = i % block * whole(before, "stride") & 1023;
    out[i] = 0;
    for (std::uint32_t k = 0; k < whole(before, "iterations"); ++k) {
      for (std::uint32_t j = 0; j < 8; ++j) out[i] += first + j;
    }
  }
  return bytes_of(out);
}

std::vector<std::byte> saxpy(const LaunchFile& before) {
  const auto x = contents<float>(before, "x");
  auto y = contents<float>(before, "y");
  for (std::uint32_t i = 0; i < whole(before, "n"); ++i) y[i] = std::fma(x[i], real(before, "a"), y[i]);
  return bytes_of(y);
}

std::vector<std::byte> transpose(const LaunchFile& before) {
  const auto source = contents<float>(before, "source");
  auto target = contents<float>(before, "target");
  const std::size_t width = whole(before, "width");
  const std::size_t height = whole(before, "height");
  for (std::size_t i = 0; i < width * height; ++i) target[i % width * height + i / width] = source[i];
  return bytes_of(target);
}

/// The small whole numbers of the launch file as halves hold them.
float of_half(std::uint16_t bits) {
  const float magnitude = (bits & 0x7fff) == 0 ? 0.0F
                                               : std::ldexp(1.0F + static_cast<float>(bits & 0x3ff) / 1024.0F,
                                                            (bits >> 10 & 31) - 15);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

std::vector<std::byte> hgemm(const LaunchFile& before) {
  const auto a = contents<std::uint16_t>(before, "a");
  const auto b = contents<std::uint16_t>(before, "b");
  auto c = contents<float>(before, "c");
  const std::size_t n = whole(before, "n");
  const std::size_t k = whole(before, "k");
  for (std::size_t i = 0; i < c.size(); ++i) {
    c[i] = 0;
    for (std::size_t j = 0; j < k; ++j) c[i] += of_half(a[i / n * k + j]) * of_half(b[j * n + i % n]);
  }
  return bytes_of(c);
}

std::vector<std::byte> matmul(const LaunchFile& before) {
  const auto a = contents<float>(before, "a");
  const auto b = contents<float>(before, "b");
  auto c = contents<float>(before, "c");
  const std::size_t n = whole(before, "n");
  for (std::size_t i = 0; i < n * n; ++i) {
    c[i] = 0;
    for (std::size_t k = 0; k < n; ++k) c[i] = std::fma(a[i / n * n + k], b[k * n + i % n], c[i]);
  }
  return bytes_of(c);
}

/// The sums of each block's part of the source.
std::vector<std::byte> exclusive_sums(const LaunchFile& before) {
  const auto source = contents<std::uint32_t>(before, "source");
  auto target = contents<std::uint32_t>(before, "target");
  const std::size_t part = 2 * before.launch.block.x;
  for (std::size_t i = 0; i < target.size(); ++i) {
    target[i] = i % part == 0 ? 0 : target[i - 1] + source[i - 1];
  }
  return bytes_of(target);
}

std::vector<std::byte> sort_parts(const LaunchFile& before) {
  auto keys = contents<std::uint32_t>(before, "source");
  const std::ptrdiff_t part = 2 * static_cast<std::ptrdiff_t>(before.launch.block.x);
  for (auto first = keys.begin(); first != keys.end(); first += part) std::sort(first, first + part);
  return bytes_of(keys);
}

std::vector<std::byte> spmv_csr(const LaunchFile& before) {
  const auto first = contents<std::uint32_t>(before, "first");
  const auto column = contents<std::uint32_t>(before, "column");
  const auto value = contents<float>(before, "value");
  const auto x = contents<float>(before, "x");
  auto y = contents<float>(before, "y");
  for (std::size_t row = 0; row < y.size(); ++row) {
    y[row] = 0;
    for (std::size_t k = first[row]; k < first[row + 1]; ++k)
      y[row] = std::fma(value[k], x[column[k]], y[row]);
  }
  return bytes_of(y);
}

// MUFU, as the program defines it: the double-precision result, rounded once.
float reciprocal(float x) { return 1.0F / x; }
float reciprocal_root(float x) { return static_cast<float>(1 / std::sqrt(static_cast<double>(x))); }
float power_of_two(float x) { return static_cast<float>(std::exp2(static_cast<double>(x))); }
float binary_logarithm(float x) { return static_cast<float>(std::log2(static_cast<double>(x))); }

constexpr double kRadiansPerTurn = 6.283185307179586476925;
double radians(float turns) { return static_cast<double>(turns) * kRadiansPerTurn; }

std::array<float, 3> pull_on(std::size_t me, const std::vector<float>& body, float softening) {
  std::array<float, 3> sum{};
  for (std::size_t j = 0; j < body.size(); j += 4) {
    std::array<float, 3> distance;
    float square = softening;
    for (std::size_t k = 0; k < 3; ++k) {
      distance[k] = body[j + k] - body[4 * me + k];
      square = std::fma(distance[k], distance[k], square);
    }
    const float inverse = reciprocal_root(square);
    const float pull = body[j + 3] * (inverse * inverse * inverse);
    for (std::size_t k = 0; k < 3; ++k) sum[k] = std::fma(distance[k], pull, sum[k]);
  }
  return sum;
}

std::vector<std::byte> nbody(const LaunchFile& before) {
  const auto body = contents<float>(before, "body");
  auto force = contents<float>(before, "force");
  for (std::size_t i = 0; i < whole(before, "n"); ++i) {
    const auto pull = pull_on(i, body, real(before, "softening"));
    std::ranges::copy(pull, force.begin() + static_cast<std::ptrdiff_t>(3 * i));
  }
  return bytes_of(force);
}

std::uint32_t steps_to_escape(float cr, float ci, std::uint32_t limit) {
  float zr = 0;
  float zi = 0;
  for (std::uint32_t n = 0; n < limit; ++n) {
    const float zi2 = zi * zi;
    if (std::fma(zr, zr, zi2) > 4) return n;
    const float twice = zr + zr;
    zr = std::fma(zr, zr, -zi2) + cr;
    zi = std::fma(twice, zi, ci);
  }
  return limit;
}

std::vector<std::byte> mandelbrot(const LaunchFile& before) {
  auto count = contents<std::uint32_t>(before, "count");
  const std::uint32_t width = whole(before, "width");
  const float step = real(before, "step");
  for (std::uint32_t i = 0; i < count.size(); ++i) {
    const float cr = std::fma(static_cast<float>(i % width), step, real(before, "left"));
    const float ci = std::fma(static_cast<float>(i / width), step, real(before, "top"));
    count[i] = steps_to_escape(cr, ci, whole(before, "limit"));
  }
  return bytes_of(count);
}

std::vector<std::byte> stencil_2d(const LaunchFile& before) {
  const auto in = contents<float>(before, "source");
  auto out = in;
  const std::size_t width = whole(before, "width");
  const std::size_t height = whole(before, "height");
  for (std::size_t y = 1; y + 1 < height; ++y) {
    for (std::size_t x = 1; x + 1 < width; ++x) {
      const std::size_t i = y * width + x;
      const float sum = in[i - 1] + in[i + 1] + in[i - width] + in[i + width];
      out[i] = std::fma(in[i], real(before, "self"), sum * real(before, "others"));
    }
  }
  return bytes_of(out);
}

/// The cumulative normal distribution by the kernel's polynomial.
float normal(float d) {
  const float k = reciprocal(std::fma(std::abs(d), 0.2316419F, 1.0F));
  const float density = power_of_two(d * -0.5F * d * 1.442695F) * 0.39894228F;
  float sum = 1.330274429F;
  for (const float term : {-1.821255978F, 1.781477937F, -0.356563782F, 0.31938153F})
    sum = std::fma(k, sum, term);
  const float tail = density * (k * sum);
  return d > 0 ? 1.0F - tail : tail;
}

struct Prices {
  float call;
  float put;
};

Prices price_option(float price, float strike, float years, float riskfree, float volatility) {
  const float drift = std::fma(volatility * 0.5F, volatility, riskfree) * years;
  const float spread = reciprocal(reciprocal_root(years)) * volatility;
  const float logarithm = binary_logarithm(price * reciprocal(strike));
  const float d1 = std::fma(logarithm, 0.69314718F, drift) * reciprocal(spread);
  const float cnd1 = normal(d1);
  const float cnd2 = normal(d1 - spread);
  const float discounted = strike * power_of_two(riskfree * -years * 1.442695F);
  return {.call = std::fma(price, cnd1, -(discounted * cnd2)),
          .put = std::fma(discounted, 1.0F - cnd2, -(price * (1.0F - cnd1)))};
}

template <float Prices::*kWhich>
std::vector<std::byte> black_scholes(const LaunchFile& before) {
  const auto price = contents<float>(before, "price");
  const auto strike = contents<float>(before, "strike");
  const auto years = contents<float>(before, "years");
  std::vector<float> result;
  for (std::size_t i = 0; i < price.size(); ++i) {
    const Prices prices =
        price_option(price[i], strike[i], years[i], real(before, "riskfree"), real(before, "volatility"));
    result.push_back(prices.*kWhich);
  }
  return bytes_of(result);
}

float sine_and_cosine(float a) {
  const double angle = radians(a * 0.15915494F);
  return static_cast<float>(std::sin(angle)) + static_cast<float>(std::cos(angle));
}

float product_over_sum(float a) {
  const double angle = radians(a * 0.15915494F);
  const auto b = static_cast<float>(std::sin(angle));
  const auto c = static_cast<float>(std::cos(angle));
  return std::fma(b * c, reciprocal(b + c), a);
}

template <float (*kFunction)(float)>
std::vector<std::byte> map(const LaunchFile& before) {
  auto data = contents<float>(before, "data");
  std::ranges::transform(data, data.begin(), kFunction);
  return bytes_of(data);
}

std::vector<std::byte> switch_paths(const LaunchFile& before) {
  auto data = contents<std::uint32_t>(before, "data");
  for (std::uint32_t i = 0; i < data.size(); ++i) {
    const std::uint32_t path = i % before.launch.block.x % 32 * whole(before, "paths") / 32;
    data[i] = data[i] * (2 * path + 3) + i;
  }
  return bytes_of(data);
}

constexpr Reference kReferences[] = {
    {"bad_reduce", "output", reduce},
    {"bitonic_sort", "target", sort_parts},
    {"black_scholes", "call", black_scholes<&Prices::call>},
    {"black_scholes", "put", black_scholes<&Prices::put>},
    {"divergent_16_16", "data", divergent},
    {"divergent_1a_31b", "data", divergent},
    {"divergent_31a_1b", "data", divergent},
    {"divergent_all_a", "data", divergent},
    {"divergent_all_b", "data", divergent},
    {"ffma_ilp1", "out", ffma<1>},
    {"ffma_ilp2", "out", ffma<2>},
    {"ffma_ilp4", "out", ffma<4>},
    {"good_reduce", "output", warp_sums},
    {"hgemm", "c", hgemm},
    {"hgemm_async", "c", hgemm},
    {"hgemm_warpgroup", "c", hgemm},
    {"kernel_a", "data", map<sine_and_cosine>},
    {"kernel_b", "data", map<product_over_sum>},
    {"latency", "result", latency},
    {"loop_select_grouped", "data", with_divergence},
    {"loop_select_interleaved", "data", with_divergence},
    {"mandelbrot", "count", mandelbrot},
    {"matmul_v1", "c", matmul},
    {"matmul_v2", "c", matmul},
    {"matmul_v3", "c", matmul},
    {"nbody", "force", nbody},
    {"no_divergence", "data", no_divergence},
    {"pointer_chase", "result", pointer_chase},
    {"reduce_v1", "output", reduce},
    {"reduce_v2", "output", reduce},
    {"reduce_v3", "output", reduce},
    {"saxpy", "y", saxpy},
    {"scan_exclusive", "target", exclusive_sums},
    {"shared_stride", "out", shared_stride},
    {"spmv_csr", "y", spmv_csr},
    {"sqrt_branch", "y", root_or_zero},
    {"sqrt_select", "y", root_or_zero},
    {"stencil_2d", "target", stencil_2d},
    {"strided_copy", "target", strided_copy},
    {"switch_paths", "data", switch_paths},
    {"transpose_naive", "target", transpose},
    {"transpose_padded", "target", transpose},
    {"transpose_tiled", "target", transpose},
    {"vecadd", "c", vecadd},
    {"with_divergence_grouped", "data", with_divergence},
    {"with_divergence_interleaved", "data", with_divergence},
};

}  // namespace

std::vector<Reference> references() {
  std::vector<Reference> all(std::begin(kReferences), std::end(kReferences));
  const std::span<const Reference> cooperating = cooperating_references();
  all.insert(all.end(), cooperating.begin(), cooperating.end());
  return all;
}

std::set<std::string> launches() {
  std::set<std::string> names;
  for (const Reference& reference : references()) names.emplace(reference.launch);
  return names;
}

}  // namespace heddle::examples
