#include "tools/launch/random.h"

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
  const double step = 1 / static_cast<double>(std::uint64_t{1} << bits);  // a power of two: nothing is rounded
  return min + (max - min) * (static_cast<double>(engine() >> (64 - bits)) * step);
}

}  // namespace heddle::launch
