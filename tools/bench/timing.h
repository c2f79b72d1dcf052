// Repeated measurements of one thing, on a machine that is never quite quiet.
#pragma once

#include <vector>

namespace heddle::bench {

class Timing {
 public:
  Timing() = default;
  explicit Timing(std::vector<double> seconds) : seconds_(std::move(seconds)) {}

  void add(double seconds) { seconds_.push_back(seconds); }
  [[nodiscard]] const std::vector<double>& seconds() const { return seconds_; }

  /// Of an even number of measurements the mean of the two in the middle; 0 of none.
  [[nodiscard]] double median() const;
  /// How far measurements lie from their median, as a share of it: the median of the distances. A few that
  /// somebody else's work has spoilt do not count.
  [[nodiscard]] double noise() const;

 private:
  std::vector<double> seconds_;
};

}  // namespace heddle::bench
