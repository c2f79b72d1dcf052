#include "tools/sample/estimate.h"

#include <numeric>

#include "isa/base/student_t.h"

namespace heddle::sample {

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double variance_of(std::span<const double> values) {
  if (values.size() < 2) return 0;
  const double mean = mean_of(values);
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum / static_cast<double>(values.size() - 1);
}

double variance_of_total(const Stratum& stratum) {
  const auto members = static_cast<double>(stratum.members);
  const auto count = static_cast<double>(stratum.measured.size());
  return members * (members - count) * variance_of(stratum.measured) / count;
}

Estimate estimate_total(std::span<const Stratum> strata) {
  Estimate estimate;
  SumInterval interval;
  for (const Stratum& stratum : strata) {
    if (stratum.members == 0) continue;
    estimate.total += static_cast<double>(stratum.members) * mean_of(stratum.measured);
    interval.add(variance_of_total(stratum), static_cast<double>(stratum.measured.size()) - 1);
  }
  estimate.half_width = interval.half_width();
  return estimate;
}

}  // namespace heddle::sample
