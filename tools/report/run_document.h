// The full report of a run on one screen, for people who see such a report for the first time:
//
//   vecadd on NVIDIA H100 SXM5 80 GB (h100)
//   grid 256, block 256 · 10 registers a thread · no shared memory · scheduler gto
//   2,901 cycles = 1.47 us at 1980 MHz · 26,624 warp instructions · IPC 0.19 an active SM
//   8 blocks fit an SM (warps 8, blocks 32, registers 16, shared 228) · 0.24 waves · 132 of 132 SMs
//
//   Theoretical occupancy   ████████████████████ 100.0 %  64 of 64 warps an SM; limit: warps
//   ...
#pragma once

#include "tools/report/document.h"
#include "tools/report/summary.h"

namespace heddle::report {

/// The whole report of one run. `line`: what the verdict says of a line of the source, if anything.
Document run_document(const Summary& summary, const std::string& line = {});

}  // namespace heddle::report
