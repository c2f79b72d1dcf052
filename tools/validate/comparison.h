// Simulated beside measured: each case, and what they come to by group.
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

/// The figures of a run by the name that the case has for it.
using NamedFigures = std::pair<std::string, std::span<const std::pair<std::string, Number>>>;

/// The case's expression with these figures; nothing, and a problem at the expression, where it has no value.
std::optional<double> simulated_value(const Case& measured, std::span<const NamedFigures> runs,
                                      Diagnostics& problems);

/// An expression of the figures of `run`; nothing where one of them has no value in that run.
std::optional<double> figure_of(const std::string& expression,
                                std::span<const std::pair<std::string, Number>> run);

struct Comparison {
  std::string name;
  std::string gpu;
  std::string unit;
  double measured = 0;
  std::optional<double> simulated;  ///< Nothing where the run has no such figure.
  std::optional<double> tolerance;  ///< Nothing where none is asked for.
  std::optional<std::string> deviates;
  report::Provenance provenance = {};  ///< Of its runs, see merged_provenance().

  /// Relative: +0.1 is simulated 10 % above measured; nothing where 0 was measured.
  [[nodiscard]] std::optional<double> error() const;
  [[nodiscard]] bool is_within() const;
  /// Outside of its tolerance, and nothing says why.
  [[nodiscard]] bool is_unexpected() const { return !is_within() && !deviates; }
  /// Within its tolerance, while something says why it is not.
  [[nodiscard]] bool is_better_than_said() const { return is_within() && deviates.has_value(); }
};

struct GroupResult {
  std::string name;
  std::string title;
  std::string source;
  std::vector<Comparison> cases;
  bool is_population = true;  ///< Values of one kind, so that their mean error says something.

  [[nodiscard]] std::size_t within() const;
  [[nodiscard]] std::size_t unexpected() const;
};

struct Results {
  std::vector<GroupResult> groups;
  std::vector<std::string> not_compared;  ///< "hgemm: why"
  bool checks_hold = true;                ///< What the kernels computed is what their launches expect.
  report::Provenance provenance = {};     ///< Of all cases: their files, and what else was read.

  [[nodiscard]] bool are_good() const;
};

/// Of the magnitudes of the relative errors; nothing where there is none.
std::optional<double> mean_absolute_error(std::span<const Comparison> cases);
/// Pearson's, of measured and simulated; nothing where one of them does not vary.
std::optional<double> correlation(std::span<const Comparison> cases);

}  // namespace heddle::validate
