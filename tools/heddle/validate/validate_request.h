// The request of a `heddle validate` command line.
#pragma once

#include <string>
#include <vector>

#include "isa/base/override.h"
#include "tools/heddle/base/options.h"
#include "tools/heddle/base/provenance.h"

namespace heddle::command {

/// What to compare, and how to report it.
struct ValidateRequest {
  report::Provenance provenance;          ///< Version and command line.
  std::vector<std::string> suites;        ///< With --ncu: launch files.
  std::optional<std::string> measured;    ///< A file of the measuring kit, instead of suites.
  std::optional<std::string> ncu;         ///< A report of Nsight Compute, instead of suites.
  std::vector<std::string> launches;      ///< KERNEL=FILE.yaml, for the kernels of the --ncu report.
  std::optional<std::string> launch_dir;  ///< Where the launch files of measured kernels are.
  std::optional<std::string> gpu;         ///< Used instead of each case's own.
  std::optional<std::string> gpu_dir;     ///< Searched first for GPU files.
  Overrides settings;                     ///< For each GPU, after the settings of the case.
  std::vector<std::string> filters;       ///< Only cases with one of these in group, name or GPU.
  std::string format;                     ///< text, json, csv or markdown
  std::optional<std::string> output;      ///< A file; not set for standard output.
  std::optional<std::string> plot;        ///< File for the scatter plot.
  unsigned threads = 1;
  bool quiet = false;
};

/// Throws UsageError.
ValidateRequest read_validate_request(const ReportedCommand& command);

}  // namespace heddle::command
