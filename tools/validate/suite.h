// Suites: what was measured on real GPUs, and which simulated runs say the same. The form is described in
// tests/validation/README.md.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/config/yaml_document.h"
#include "tools/launch/element_type.h"
#include "tools/validate/figures.h"

namespace heddle::validate {

using launch::Number;

/// A kernel that is made for a run: one block of it.
struct MadeKernel {
  std::string text;  ///< See loop_kernel.h.
  std::uint32_t threads = 32;
};

/// A simulation that a case needs.
struct Run {
  std::string name;                   ///< In the expression of the case: "long", or "at.8" for at[8].
  std::string launch;                 ///< Path of a launch file; of a made kernel, what messages call it.
  std::optional<MadeKernel> kernel;   ///< In the place of a launch file.
  std::vector<std::string> params;    ///< "name=value"
  std::vector<std::string> settings;  ///< Of the GPU: "key=value".
  SourceLocation where;
};

/// A measured value.
struct Case {
  std::string name;
  std::string gpu;
  std::string unit;
  double measured = 0;
  std::optional<double> tolerance;      ///< Relative; nothing where none is asked for.
  std::optional<std::string> deviates;  ///< Why the simulated value is known to be outside the tolerance.
  std::vector<std::pair<std::string, Number>> values;
  std::vector<Run> runs;
  sim::YamlValue simulated;             ///< An expression of the values and of the runs' figures.
  std::vector<std::string> files = {};  ///< That it is read from: its suite, and the table that has its row.
};

/// Cases that are counted together.
struct Group {
  std::string name;  ///< "V15"
  std::string title;
  std::string source;
  std::vector<Case> cases;
  /// Figures of the measuring kit that have no counterpart here, and why.
  std::vector<std::pair<std::string, std::string>> not_compared;
  /// Those of which there is no case at the point, or in the unit, of a measured one, by their full names.
  std::vector<std::pair<std::string, std::string>> left_out;
};

/// Throws InputError with every mistake found. Suites whose cases say `figure` take what was measured from
/// `figures`, a case for each figure of that name; without, they are refused.
Group load_suite(const std::string& path, const MeasuredFigures* figures = nullptr);

}  // namespace heddle::validate
