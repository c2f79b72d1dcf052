// Student's t distribution, for the intervals around means of few values.
#pragma once

namespace heddle {

/// The share of cases in which an interval is meant to hold the true value.
inline constexpr double kConfidence = 0.95;

/// How many standard errors each half of such an interval has. Fewer degrees of freedom than one count as
/// one.
double student_t(double degrees_of_freedom);

/// The interval around a sum of independent estimates: Student's t with Satterthwaite's degrees of freedom.
class SumInterval {
 public:
  /// One of them. Its variance is not below 0; of one that is 0 the degrees of freedom do not matter.
  void add(double variance, double degrees_of_freedom);
  /// 0 if all variances are.
  [[nodiscard]] double half_width() const;

 private:
  double variance_ = 0;
  double below_ = 0;  // of Satterthwaite's quotient
};

}  // namespace heddle
