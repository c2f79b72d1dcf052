// What a replay hands over: a report for each kernel, and one for all of them together.
#pragma once

#include <string>
#include <vector>

#include "sim/config/gpu_spec.h"
#include "sim/ledger/sm_counters.h"
#include "tools/heddle/run/run_request.h"
#include "tools/report/failure.h"
#include "tools/report/summary.h"

namespace heddle::command {

struct ReplayedList {
  std::vector<report::Summary> kernels;
  std::vector<sim::SmCounters> sms;  // of all kernels
  std::string timeline;
};

/// Its kernels, then all of them together if there are several.
std::vector<report::Summary> rows_of(const RunRequest& request, const ReplayedList& list,
                                     const sim::GpuSpec& spec);

/// In the form that is asked for.
std::string report_of(const RunRequest& request, const ReplayedList& list, const sim::GpuSpec& spec,
                      const std::vector<report::Failure>& failures);

}  // namespace heddle::command
