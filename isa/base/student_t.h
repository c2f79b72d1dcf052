// Student's t distribution, for the intervals around means of few values.
#pragma once

namespace heddle {

/// The share of cases in which an interval is meant to hold the true value.
inline constexpr double kConfidence = 0.95;

/// How many standard errors each half of such an interval has. Fewer degrees of freedom than one count as
/// one.
double student_t(double degrees_of_freedom);

}  // namespace heddle
