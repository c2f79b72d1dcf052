// What `heddle validate` is asked to do.
#pragma once

#include <string>
#include <vector>

#include "tools/heddle/base/options.h"
#include "tools/heddle/base/provenance.h"

namespace heddle::command {

struct ValidateRequest {
  report::Provenance provenance;          ///< Version and command line.
  std::vector<std::string> suites;        ///< With --ncu: launch files.
  std::optional<std::string> measured;    ///< A file of the measuring kit, in the place of suites.
  std::optional<std::string> ncu;         ///< A report of Nsight Compute, in the place of suites.
  std::vector<std::string> launches;      ///< KERNEL=FILE.yaml, for the kernels of that report.
  std::optional<std::string> launch_dir;  ///< Where the launch files of measured kernels are.
  std::optional<std::string> gpu;         ///< In the place of every case's own.
  std::optional<std::string> gpu_dir;     ///< Where GPU files are looked for first.
  std::vector<std::string> settings;      ///< For every GPU, after those of the case.
  std::vector<std::string> filters;       ///< Only cases with one of these in their group or name.
  std::string format;                     ///< text, json, csv or markdown
  std::optional<std::string> output;      ///< A file, instead of standard output.
  std::optional<std::string> plot;        ///< A file for the scatter plot.
  unsigned threads = 1;
  bool quiet = false;
};

/// Throws UsageError.
ValidateRequest read_validate_request(const ReportedCommand& command);

}  // namespace heddle::command
