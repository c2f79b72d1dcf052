// The sections that reports of runs are put together from, in their order. Each adds its own to a document.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "tools/report/document.h"
#include "tools/report/summary.h"

namespace heddle::report {

/// How much is told: what is worth a line of a page, or all.
enum class Detail { Page, Full };

/// Where bars of a page begin: labels of losses have the kind of slots before them. 32 columns are left for
/// notes.
inline constexpr std::size_t kPageBars = 26;

/// The launch, its cycles, and what fits an SM.
void add_head(Document& document, const Summary& summary);
/// The launch and its cycles, a line each in most runs; a long name of a kernel is shortened for that.
void add_short_head(Document& document, const Summary& summary, std::size_t columns);
/// How much of the GPU was simulated; nothing for a run of all of it.
void add_sample(Document& document, const std::optional<SampleSize>& size);

/// Theoretical and achieved occupancy, issue efficiency, divergence utilization.
void add_headlines(Document& document, const Summary& summary, Detail detail);
/// The greatest part that was lost of each ledger, and the next ones of all, so many at most; a gap behind
/// them.
void add_greatest_losses(Document& document, const Summary& summary, std::size_t most);
/// Where the slots of warps, issue and lanes went.
void add_ledgers(Document& document, const Summary& summary);
/// What a warp waits for from one of its instructions to the next.
void add_stalls(Document& document, const Summary& summary);
/// Hit rates, bandwidths, the busiest pipe, and how wide accesses are.
void add_memory(Document& document, const Summary& summary);
/// Whether the results are right; of a trace, which of its instructions were taken for others.
void add_checks(Document& document, const Summary& summary, Detail detail);
/// What holds it back.
void add_verdict(Document& document, const Summary& summary);

/// All that follows the head: the sections above, and what holds the launch back.
void add_figures(Document& document, const Summary& summary);

}  // namespace heddle::report
