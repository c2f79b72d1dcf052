#include "isa/base/student_t.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>

namespace heddle {

double student_t(double degrees_of_freedom) {
  const boost::math::students_t distribution(std::max(1.0, degrees_of_freedom));
  return boost::math::quantile(distribution, (1 + kConfidence) / 2);
}

}  // namespace heddle
