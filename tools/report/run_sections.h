// The sections of which reports of runs consist, in order. Each function adds one section to a document.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "tools/report/document.h"
#include "tools/report/summary.h"

namespace heddle::report {

/// How much to tell: what fits on a page, or everything.
enum class Detail { Page, Full };

/// The column at which bars of a page begin. Labels of losses are preceded by the kind of slots. 32 columns
/// are left for notes.
inline constexpr std::size_t kPageBars = 26;

/// The launch, its cycles, and how many blocks fit an SM.
void add_head(Document& document, const Summary& summary);
/// The launch and its cycles, in most runs on one line each. A long kernel name is shortened for that.
void add_short_head(Document& document, const Summary& summary, std::size_t columns);
/// How much of the GPU was simulated. Adds nothing for a run of the whole GPU.
void add_sample(Document& document, const std::optional<SampleSize>& size);
/// The same for blocks.
void add_sampled_blocks(Document& document, const Summary& summary);

/// Theoretical and achieved occupancy, issue efficiency, divergence utilization.
void add_headlines(Document& document, const Summary& summary, Detail detail);
/// The greatest loss of each ledger, then the next losses of all ledgers, at most `most` in total, and a gap.
void add_greatest_losses(Document& document, const Summary& summary, std::size_t most);
/// Where the slots of warps, issue and lanes went.
void add_ledgers(Document& document, const Summary& summary);
/// What warps wait for between two of their instructions.
void add_stalls(Document& document, const Summary& summary);
/// Hit rates, bandwidths, the busiest pipe, and sectors per access.
void add_memory(Document& document, const Summary& summary);
/// Whether the results are right. For a trace, which of its instructions were approximated.
void add_checks(Document& document, const Summary& summary, Detail detail);
/// The verdict: what holds the kernel back. `line` is what it says of a line of the source, and may be empty.
void add_verdict(Document& document, const Summary& summary, const std::string& line = {});

/// All sections after the head.
void add_figures(Document& document, const Summary& summary, const std::string& line = {});

}  // namespace heddle::report
