// Random numbers that are the same on every machine: the standard library's engines are, its distributions
// are not.
#pragma once

#include <cstdint>
#include <random>

namespace heddle::launch {

/// All whole numbers from `min` to `max` alike, both included.
std::int64_t uniform_integer(std::mt19937_64& engine, std::int64_t min, std::int64_t max);

/// From `min` to below `max`, made of so many bits, 1 to 53.
double uniform_real(std::mt19937_64& engine, unsigned bits, double min, double max);

}  // namespace heddle::launch
