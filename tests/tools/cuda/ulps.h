// Errors in units in the last place.
#pragma once

#include <algorithm>
#include <cmath>

namespace heddle::cuda {

inline constexpr double kWrong = 1e9;  ///< No number of units: infinite where it is finite, or the like.

/// How far a float is from a value that was computed in double precision, in units of the last place.
inline double ulps_of_float(float got, double want) {
  if (std::isnan(want)) return std::isnan(got) ? 0 : kWrong;
  const auto nearest = static_cast<float>(want);
  if (std::isnan(got)) return kWrong;
  if (std::isinf(got) || std::isinf(nearest)) return got == nearest ? 0 : kWrong;
  int exponent = -1000;
  if (want != 0) std::frexp(want, &exponent);
  return std::fabs(static_cast<double>(got) - want) / std::ldexp(1.0, std::max(exponent - 24, -149));
}

/// The same for a double and a value that was computed in extended precision.
inline double ulps_of_double(double got, long double want) {
  if (std::isnan(want)) return std::isnan(got) ? 0 : kWrong;
  const auto nearest = static_cast<double>(want);
  if (std::isnan(got)) return kWrong;
  if (std::isinf(got) || std::isinf(nearest)) return got == nearest ? 0 : kWrong;
  int exponent = -10000;
  if (want != 0) std::frexp(want, &exponent);
  return static_cast<double>(std::fabs(static_cast<long double>(got) - want) /
                             std::ldexp(1.0L, std::max(exponent - 53, -1074)));
}

}  // namespace heddle::cuda
