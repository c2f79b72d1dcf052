// Suites: measured values of real GPUs, and the simulated runs that correspond to them.
// tests/validation/README.md describes the format.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "isa/base/override.h"
#include "sim/config/yaml_document.h"
#include "tools/launch/element_type.h"
#include "tools/validate/figures.h"

namespace heddle::validate {

using launch::Number;

/// A kernel that is generated for a run. It runs as one block.
struct MadeKernel {
  std::string text;  ///< See loop_kernel.h.
  std::uint32_t threads = 32;
};

/// A simulation that a case needs.
struct Run {
  std::string name;  ///< Name in the expression of the case: "long", or "at.8" for at[8].
  /// Path of a launch file; for a generated kernel, its name in messages.
  std::string launch;
  std::optional<MadeKernel> kernel;  ///< Used instead of a launch file.
  Overrides params;                  ///< Values of the launch.
  Overrides settings;                ///< GPU settings.
  SourceLocation where;
};

/// A measured value, and how to simulate it.
struct Case {
  std::string name;
  std::string gpu;
  std::string unit;
  double measured = 0;
  std::optional<double> tolerance;      ///< Relative; not set if no tolerance is required.
  std::optional<std::string> deviates;  ///< The known reason for a simulated value outside of the tolerance.
  std::vector<std::pair<std::string, Number>> values;
  std::vector<Run> runs;
  sim::YamlValue simulated;  ///< An expression in the values and the runs' figures.
  /// The files that it is read from: its suite, and the table with its row.
  std::vector<std::string> files = {};
};

/// Cases that are summed up together.
struct Group {
  std::string name;  ///< "V15"
  std::string title;
  std::string source;
  std::vector<Case> cases;
  /// Figures of the measuring kit without a counterpart here, and why.
  std::vector<std::pair<std::string, std::string>> not_compared;
  /// Full names of figures that have cases, but none at the measured position or in the measured unit, and
  /// why.
  std::vector<std::pair<std::string, std::string>> left_out;
};

/// Throws InputError with all mistakes. Cases with the key `figure` take the measured values from `figures`,
/// one case for each figure of that name; without `figures` such suites are refused.
Group load_suite(const std::string& path, const MeasuredFigures* figures = nullptr);

}  // namespace heddle::validate
