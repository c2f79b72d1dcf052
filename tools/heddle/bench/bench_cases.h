// The cases that `heddle bench` measures.
#pragma once

#include <string>
#include <vector>

#include "tools/heddle/base/options.h"

namespace heddle::command {

/// A launch file or trace, and changes to it.
struct BenchCase {
  std::string name;
  std::string path;
  Overrides params;    ///< Values of the launch.
  Overrides settings;  ///< GPU settings.
  /// The user gave its path; else it is a case that Heddle knows by name.
  bool is_given = true;
  std::string list = {};  ///< The list that names the trace; empty if none does.
};

/// A line for each case with a name: "  ffma_loop      ffma_ilp1 blocks=8 ...".
std::string bench_cases_text();

/// "ffma_loop", ...
std::vector<std::string> bench_case_names();

/// The cases that are named: launch files, traces, lists of traces, names of cases. If nothing is named: all
/// cases, then all examples. `params` are for the launch files. Throws UsageError, InputError.
std::vector<BenchCase> bench_cases(const std::vector<std::string>& named, const Overrides& params);

}  // namespace heddle::command
