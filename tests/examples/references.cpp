#include "tests/examples/references.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>

namespace heddle::examples {

namespace {

using launch::LaunchFile;

template <typename Element>
std::vector<Element> contents(const LaunchFile& file, const std::string& name) {
  const auto elements = file.memory.find(name)->as<const Element>();
  return {elements.begin(), elements.end()};
}

template <typename Element>
std::vector<std::byte> bytes_of(const std::vector<Element>& elements) {
  const auto bytes = std::as_bytes(std::span(elements));
  return {bytes.begin(), bytes.end()};
}

std::uint32_t whole(const LaunchFile& file, const std::string& name) {
  return static_cast<std::uint32_t>(*launch::to_integer(*file.find_value(name)));
}

float real(const LaunchFile& file, const std::string& name) {
  return static_cast<float>(launch::to_double(*file.find_value(name)));
}

std::uint32_t threads(const LaunchFile& file) {
  return static_cast<std::uint32_t>(file.launch.grid.count() * file.launch.block.count());
}

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

constexpr Reference kReferences[] = {
    {"bad_reduce", "output", reduce},
    {"divergent_16_16", "data", divergent},
    {"divergent_1a_31b", "data", divergent},
    {"divergent_31a_1b", "data", divergent},
    {"divergent_all_a", "data", divergent},
    {"divergent_all_b", "data", divergent},
    {"ffma_ilp1", "out", ffma<1>},
    {"ffma_ilp2", "out", ffma<2>},
    {"ffma_ilp4", "out", ffma<4>},
    {"good_reduce", "output", warp_sums},
    {"latency", "result", latency},
    {"loop_select_grouped", "data", with_divergence},
    {"loop_select_interleaved", "data", with_divergence},
    {"no_divergence", "data", no_divergence},
    {"pointer_chase", "result", pointer_chase},
    {"reduce_v1", "output", reduce},
    {"reduce_v2", "output", reduce},
    {"reduce_v3", "output", reduce},
    {"shared_stride", "out", shared_stride},
    {"sqrt_branch", "y", root_or_zero},
    {"sqrt_select", "y", root_or_zero},
    {"strided_copy", "target", strided_copy},
    {"vecadd", "c", vecadd},
    {"with_divergence_grouped", "data", with_divergence},
    {"with_divergence_interleaved", "data", with_divergence},
};

}  // namespace

std::span<const Reference> references() { return kReferences; }

}  // namespace heddle::examples
