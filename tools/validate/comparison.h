// Compares simulated with measured values: by case, and summed up by group.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "isa/base/diagnostic.h"
#include "tools/report/provenance.h"
#include "tools/validate/suite.h"

namespace heddle::validate {

/// The name of a run in its case, and the run's figures.
using NamedFigures = std::pair<std::string, std::span<const std::pair<std::string, Number>>>;

/// The value of the case's expression for these figures. If it has none, a problem is recorded at the
/// expression and the result is not set.
std::optional<double> simulated_value(const Case& measured, std::span<const NamedFigures> runs,
                                      Diagnostics& problems);

/// The value of an expression in the figures of `run`. Not set if one of the figures has no value in that
/// run.
std::optional<double> figure_of(const std::string& expression,
                                std::span<const std::pair<std::string, Number>> run);

/// A case with its measured and its simulated value.
struct Comparison {
  std::string name;
  std::string gpu;
  std::string unit;
  double measured = 0;
  std::optional<double> simulated;  ///< Not set if the run has no such figure.
  std::optional<double> tolerance;  ///< Not set if no tolerance is required.
  std::optional<std::string> deviates;
  report::Provenance provenance = {};  ///< The provenance of its runs; see merged_provenance().

  /// Relative error: +0.1 if the simulated value is 10 % above the measured one. Not set if 0 was measured.
  [[nodiscard]] std::optional<double> error() const;
  [[nodiscard]] bool is_within() const;
  /// Outside of its tolerance, without a known reason.
  [[nodiscard]] bool is_unexpected() const { return !is_within() && !deviates; }
  /// Within its tolerance, although a reason for a deviation is given.
  [[nodiscard]] bool is_better_than_said() const { return is_within() && deviates.has_value(); }
};

/// The cases of a group.
struct GroupResult {
  std::string name;
  std::string title;
  std::string source;
  std::vector<Comparison> cases;
  bool is_population = true;  ///< The values are of one kind, so their mean error is meaningful.

  [[nodiscard]] std::size_t within() const;
  [[nodiscard]] std::size_t unexpected() const;
};

/// All comparisons.
struct Results {
  std::vector<GroupResult> groups;
  std::vector<std::string> not_compared;  ///< "hgemm: why"
  bool checks_hold = true;                ///< The kernels computed what their launches expect.
  report::Provenance provenance = {};     ///< The files and other inputs of all cases.

  [[nodiscard]] bool are_good() const;
};

/// The mean of the absolute relative errors; not set if there are none.
std::optional<double> mean_absolute_error(std::span<const Comparison> cases);
/// Pearson's correlation of measured and simulated values; not set if one of them does not vary.
std::optional<double> correlation(std::span<const Comparison> cases);

}  // namespace heddle::validate
