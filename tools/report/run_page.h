// The report of a run on one page, the most important first, for people who see such a report for the first
// time:
//
//   reduce_v1 on NVIDIA H100 SXM5 80 GB (h100)
//   grid 1024, block 256 · 13 registers a thread · 1 KiB of shared memory a block
//   5,393 cycles = 2.72 us at 1980 MHz · 957,440 warp instructions
//
//   Theoretical occupancy     ████████████ 100.0 %  64 of 64 warps fit an SM
//   ...
//   Where the lost slots went: of warps, of turns to issue, of lanes; greatest first
//   warps idle SM             ████▏         34.9 %  the SM holds no block
//   ...
//   What holds it back: ...
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "tools/report/render_text.h"
#include "tools/report/summary.h"

namespace heddle::report {

/// Together with the shell's prompt it fits a usual terminal.
inline constexpr std::size_t kPageLines = 24;

/// The page of one run. It has at most kPageLines if the title and the verdict leave room for one loss of
/// each kind of slots at 80 columns. `line`: what the verdict says of a line of the source, if anything.
std::string run_page(const Summary& summary, const TextStyle& style, const std::string& line = {});

/// A line for each kernel of a list of traces, then a page for all of them together.
std::string list_page(std::span<const Summary> kernels, const Summary& all, const TextStyle& style);

}  // namespace heddle::report
