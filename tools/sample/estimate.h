// A total estimated from some of its parts, with an interval. Stratified sampling: the parts are in groups of
// which each was measured in some members, drawn at random; textbook formulas (Cochran, Sampling Techniques,
// ch. 5; Satterthwaite's degrees of freedom).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heddle::sample {

/// One group: how many members it has, and the values of those that were measured.
struct Stratum {
  std::uint64_t members = 0;
  std::vector<double> measured;
};

/// A total and how far it may be off, in the unit of the values.
struct Estimate {
  double total = 0;
  double half_width = 0;  ///< Of the interval around it; 0 if all members were measured.
};

double mean_of(std::span<const double> values);

/// The variance of the values, with n - 1 below the line; 0 for fewer than two.
double variance_of(std::span<const double> values);

/// The variance of a stratum's estimated total: members^2 (1 - n / members) s^2 / n.
double variance_of_total(const Stratum& stratum);

/// Sums members x mean over the strata; the interval is Student's t with Satterthwaite's degrees of freedom.
/// A stratum with members must have one that was measured; if it has more, two, or its scatter counts as 0.
Estimate estimate_total(std::span<const Stratum> strata);

}  // namespace heddle::sample
