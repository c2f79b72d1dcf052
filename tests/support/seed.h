// Seeds of tests that draw what they test: others each time, unless HEDDLE_SEED gives one, so that a failure,
// which names its seed, can be had again.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <random>

namespace heddle::test {

inline std::uint32_t drawn_seed() {
  const char* given = std::getenv("HEDDLE_SEED");
  if (given == nullptr || *given == '\0') return std::random_device{}();
  return static_cast<std::uint32_t>(std::strtoul(given, nullptr, 10));
}

}  // namespace heddle::test
