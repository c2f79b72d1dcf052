// What launches that were not timed took, from the work that they did: a straight line through those that
// were timed (linear regression; Cochran, Sampling Techniques, ch. 7).
#pragma once

#include <cstdint>
#include <span>

namespace heddle::sample {

/// A launch that was timed.
struct TimedWork {
  double warp_instructions = 0;
  double cycles = 0;
};

/// All launches that were not, together.
struct UntimedWork {
  std::uint64_t launches = 0;
  double warp_instructions = 0;
};

/// What these took together, and how sure that is.
struct Prediction {
  double cycles = 0;
  double variance = 0;
  double degrees_of_freedom = 0;  ///< Of the variance.
};

/// The line of least squares through the timed launches, at least one, at what the others did. With fewer
/// than four, or if the work of those that were timed differs by less than 1 %, their mean.
Prediction predict(std::span<const TimedWork> timed, const UntimedWork& others);

}  // namespace heddle::sample
