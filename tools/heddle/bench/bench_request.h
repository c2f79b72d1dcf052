// The request of a `heddle bench` command line.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "isa/base/override.h"
#include "tools/bench/baseline.h"
#include "tools/bench/measure.h"
#include "tools/heddle/base/options.h"
#include "tools/heddle/base/provenance.h"
#include "tools/heddle/bench/bench_cases.h"

namespace heddle::command {

/// What to measure, and how.
struct BenchRequest {
  report::Provenance provenance;  ///< Version and command line.
  std::vector<BenchCase> cases;
  std::string gpu;
  Overrides settings;
  bench::Plan plan;
  std::string format;               ///< text, json or csv
  std::optional<std::string> save;  ///< A file that can be written.
  std::optional<bench::Baseline> baseline;
};

/// Throws UsageError, and InputError for launches and for files that cannot be read or written.
BenchRequest read_bench_request(const ReportedCommand& command);

}  // namespace heddle::command
