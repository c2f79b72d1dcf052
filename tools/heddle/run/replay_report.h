// The report of a replay: one for each kernel, and one for all kernels together.
#pragma once

#include <string>
#include <vector>

#include "sim/config/gpu_spec.h"
#include "sim/ledger/sm_counters.h"
#include "tools/heddle/run/run_request.h"
#include "tools/report/failure.h"
#include "tools/report/summary.h"

namespace heddle::command {

/// The results of a replayed list.
struct ReplayedList {
  std::vector<report::Summary> kernels;
  std::vector<sim::SmCounters> sms;  // sums over all kernels
  std::string timeline;
};

/// The figures of each kernel, and of all together if there are several.
std::vector<report::Summary> rows_of(const RunRequest& request, const ReplayedList& list,
                                     const sim::GpuSpec& spec);

/// In the format of the request.
std::string report_of(const RunRequest& request, const ReplayedList& list, const sim::GpuSpec& spec,
                      const std::vector<report::Failure>& failures);

}  // namespace heddle::command
