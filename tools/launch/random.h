// Random numbers that are equal on every machine. The standard library guarantees that for its engines, but
// not for its distributions.
#pragma once

#include <cstdint>
#include <random>

namespace heddle::launch {

/// A whole number from `min` to `max`, both included, with equal probability.
std::int64_t uniform_integer(std::mt19937_64& engine, std::int64_t min, std::int64_t max);

/// A number from `min` to below `max`, made of this many random bits, 1 to 53.
double uniform_real(std::mt19937_64& engine, unsigned bits, double min, double max);

}  // namespace heddle::launch
