#include "isa/base/student_t.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace heddle {

double student_t(double degrees_of_freedom) {
  const boost::math::students_t distribution(std::max(1.0, degrees_of_freedom));
  return boost::math::quantile(distribution, (1 + kConfidence) / 2);
}

void SumInterval::add(double variance, double degrees_of_freedom) {
  if (variance <= 0) return;
  variance_ += variance;
  below_ += variance * variance / degrees_of_freedom;
}

double SumInterval::half_width() const {
  return variance_ > 0 ? student_t(variance_ * variance_ / below_) * std::sqrt(variance_) : 0;
}

}  // namespace heddle
