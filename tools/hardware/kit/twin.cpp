#include "tools/hardware/kit/twin.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

namespace kit {

unsigned Values::operator()(const std::string& name, unsigned otherwise) {
  long long value = otherwise;
  for (const auto& [given, number] : given_)
    if (given == name) value = number;
  used_.emplace_back(name, value);
  return static_cast<unsigned>(value);
}

std::vector<std::string> Values::unknown() const {
  std::vector<std::string> names;
  for (const auto& given : given_) {
    const bool known =
        std::any_of(used_.begin(), used_.end(), [&](const auto& used) { return used.first == given.first; });
    if (!known) names.push_back(given.first);
  }
  return names;
}

bool Twin::close(double have, double want, double tolerance) {
  if (std::isnan(have) || std::isnan(want)) return std::isnan(have) && std::isnan(want);
  return have == want || std::fabs(have - want) <= tolerance * std::max(1.0, std::fabs(want));
}

std::string Twin::difference(std::size_t i, double have, double want) {
  char text[120];
  std::snprintf(text, sizeof text, "element %zu is %.9g, the CPU has %.9g", i, have, want);
  return text;
}

std::vector<float> random_floats(std::size_t count, unsigned seed, float min, float max) {
  std::mt19937_64 engine(seed);
  std::vector<float> values(count);
  for (float& value : values) {
    const double unit = static_cast<double>(engine() >> 40) / static_cast<double>(1 << 24);
    value = static_cast<float>(min + (static_cast<double>(max) - min) * unit);
  }
  return values;
}

std::vector<float> ramp(std::size_t count) {
  return each<float>(count, [](std::size_t i) { return i; });
}

}  // namespace kit
