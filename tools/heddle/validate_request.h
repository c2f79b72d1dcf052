// What `heddle validate` is asked to do.
#pragma once

#include <string>
#include <vector>

#include "tools/heddle/options.h"

namespace heddle::command {

struct ValidateRequest {
  std::vector<std::string> suites;
  std::optional<std::string> gpu;      ///< In the place of every case's own.
  std::optional<std::string> gpu_dir;  ///< Where GPU files are looked for first.
  std::vector<std::string> settings;   ///< For every GPU, after those of the case.
  std::vector<std::string> filters;    ///< Only cases with one of these in their group or name.
  std::string format;                  ///< text, json or csv
  std::optional<std::string> output;   ///< A file, instead of standard output.
  std::optional<std::string> plot;     ///< A file for the scatter plot.
  unsigned threads = 1;
  bool quiet = false;
};

Syntax validate_syntax();

/// Throws UsageError.
ValidateRequest read_validate_request(const OptionValues& values);

}  // namespace heddle::command
