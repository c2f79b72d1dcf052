// Repeated measurements on a machine with other load.
#pragma once

#include <vector>

namespace heddle::bench {

/// The times of one measurement, in seconds.
class Timing {
 public:
  Timing() = default;
  explicit Timing(std::vector<double> seconds) : seconds_(std::move(seconds)) {}

  void add(double seconds) { seconds_.push_back(seconds); }
  [[nodiscard]] const std::vector<double>& seconds() const { return seconds_; }

  /// For an even number of measurements the mean of the middle two. 0 if there are none.
  [[nodiscard]] double median() const;
  /// The median distance of the measurements from their median, as a share of the median. A few disturbed
  /// measurements do not change it.
  [[nodiscard]] double noise() const;

 private:
  std::vector<double> seconds_;
};

}  // namespace heddle::bench
