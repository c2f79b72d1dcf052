// Reports of several runs: of a sweep, of launch files, of the kernels of a list of traces.
#pragma once

#include <span>

#include "tools/report/document.h"
#include "tools/report/failure.h"
#include "tools/report/summary.h"

namespace heddle::report {

/// One line for each run.
Document overview_document(std::span<const Summary> runs);

/// One line for each kernel of a list of traces, and a last line for all of them together.
Document list_overview(std::span<const Summary> kernels, const Summary& all);
/// The same, and all figures of all kernels together.
Document list_document(std::span<const Summary> kernels, const Summary& all);

/// The failed runs: a line for each reason.
Document failures_document(std::span<const Failure> failures);

}  // namespace heddle::report
