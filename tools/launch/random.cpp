#include "tools/launch/random.h"

#include <cmath>

namespace heddle::launch {

std::int64_t uniform_integer(std::mt19937_64& engine, std::int64_t min, std::int64_t max) {
  const std::uint64_t span = static_cast<std::uint64_t>(max) - static_cast<std::uint64_t>(min) + 1;
  if (span == 0) return static_cast<std::int64_t>(engine());
  // the lowest draws, which would make some numbers more likely, are rejected
  const std::uint64_t biased = (0 - span) % span;
  std::uint64_t draw = engine();
  while (draw < biased) draw = engine();
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(min) + draw % span);
}

double uniform_real(std::mt19937_64& engine, unsigned bits, double min, double max) {
  const double unit = std::ldexp(static_cast<double>(engine() >> (64 - bits)), -static_cast<int>(bits));
  return min + (max - min) * unit;
}

}  // namespace heddle::launch
