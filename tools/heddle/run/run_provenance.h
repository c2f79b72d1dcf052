// The provenance of a run's figures.
#pragma once

#include <span>
#include <string>

#include "sim/config/gpu_spec.h"
#include "tools/heddle/journal/journal.h"
#include "tools/heddle/run/run_request.h"
#include "tools/report/provenance.h"
#include "tools/report/summary.h"

namespace heddle::command {

// The following read the input files and throw InputError if one is missing. `spec` is the whole GPU.
report::Provenance launch_provenance(const RunRequest& request, const sim::GpuSpec& spec,
                                     const launch::LaunchFile& file);
report::Provenance trace_provenance(const RunRequest& request, const sim::GpuSpec& spec,
                                    const std::string& path);

/// Adds a trace and its facts file.
void add_trace(report::Provenance& provenance, const std::string& path);

/// The provenance of the sum of several kernels: the files of all of them.
report::Provenance list_provenance(std::span<const report::Summary> kernels);

/// The head of a journal for this many runs. Reads the files, and throws InputError as above.
JournalHead journal_head(std::span<const RunRequest> points, std::span<const std::string> inputs,
                         std::size_t runs);

/// The provenance of a failed run: only its own file, if it can be read.
report::Provenance failure_provenance(const RunRequest& request, const std::string& path);

}  // namespace heddle::command
