// The reports of several runs: of a sweep, of launch files, of the kernels of a list of traces.
#pragma once

#include <span>

#include "tools/report/document.h"
#include "tools/report/failure.h"
#include "tools/report/summary.h"

namespace heddle::report {

/// Several runs, a line each.
Document overview_document(std::span<const Summary> runs);

/// The kernels of a list of traces, a line each, and all of them together in the last.
Document list_overview(std::span<const Summary> kernels, const Summary& all);
/// The same, and all figures of all of them together.
Document list_document(std::span<const Summary> kernels, const Summary& all);

/// Which runs have failed, and why: a line for each reason.
Document failures_document(std::span<const Failure> failures);

}  // namespace heddle::report
