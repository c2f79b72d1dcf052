// The sections that reports of runs are put together from, in their order. Each adds its own to a document.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "tools/report/document.h"
#include "tools/report/summary.h"

namespace heddle::report {

/// The launch, its cycles, and what fits an SM.
void add_head(Document& document, const Summary& summary);
/// How much of the GPU was simulated; nothing for a run of all of it.
void add_sample(Document& document, const std::optional<SampleSize>& size);

/// Theoretical and achieved occupancy, issue efficiency, divergence utilization.
void add_headlines(Document& document, const Summary& summary);
/// Where the slots of warps, issue and lanes went.
void add_ledgers(Document& document, const Summary& summary);
/// What a warp waits for from one of its instructions to the next.
void add_stalls(Document& document, const Summary& summary);
/// Hit rates, bandwidths, the busiest pipe, and how wide accesses are.
void add_memory(Document& document, const Summary& summary);
/// Whether the results are right; of a trace, which of its instructions were taken for others.
void add_checks(Document& document, const Summary& summary);

/// The version and the command line that made the runs, their parameters, and the files that went in.
void add_provenance(Document& document, std::span<const Summary> runs);

/// The GPU's key, and what of it was changed: "h100, changed: l1.latency 40".
std::string gpu_text(const Summary& summary);

/// All that follows the head: the sections above, and what holds the launch back.
void add_figures(Document& document, const Summary& summary);

}  // namespace heddle::report
