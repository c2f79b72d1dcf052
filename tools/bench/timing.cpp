#include "tools/bench/timing.h"

#include <algorithm>
#include <cmath>

namespace heddle::bench {

namespace {

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace

double Timing::median() const { return median_of(seconds_); }

double Timing::noise() const {
  const double middle = median();
  if (middle <= 0) return 0;
  std::vector<double> distances;
  for (const double seconds : seconds_) distances.push_back(std::abs(seconds - middle));
  return median_of(distances) / middle;
}

}  // namespace heddle::bench
