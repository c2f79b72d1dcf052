// What `heddle bench` measures.
#pragma once

#include <string>
#include <vector>

#include "tools/heddle/base/options.h"

namespace heddle::command {

/// A launch file or a trace, and what is changed in it.
struct BenchCase {
  std::string name;
  std::string path;
  std::vector<std::string> params;    ///< "name=value"
  std::vector<std::string> settings;  ///< Of the GPU.
  bool is_given = true;               ///< By its path; else it is one of those that Heddle knows.
  std::string list = {};              ///< Of traces, that names it; empty if none does.
};

/// "  ffma_loop      ffma_ilp1 blocks=8 ...", a line for each case that has a name.
std::string bench_cases_text();

/// "ffma_loop", ...
std::vector<std::string> bench_case_names();

/// What is named: launch files, traces, lists of them, cases by their names. Nothing named: all cases, then
/// all examples. `params` are those of the launch files. Throws UsageError, InputError.
std::vector<BenchCase> bench_cases(const std::vector<std::string>& named,
                                   const std::vector<std::string>& params);

}  // namespace heddle::command
