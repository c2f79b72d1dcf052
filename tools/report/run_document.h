// The report of a run, on one screen, for a person who sees one for the first time:
//
//   vecadd on NVIDIA H100 SXM5 80 GB (h100)
//   256 blocks of 256 threads · 10 registers a thread · no shared memory · scheduler gto
//   2,994 cycles = 1.51 us at 1980 MHz · 26,624 warp instructions · 0.14 a cycle and SM
//   8 blocks fit an SM: warps allow 8, blocks 32, registers 16
//
//   Theoretical occupancy   ████████████████████████████████ 100.0 %  64 of 64 warps an SM; limit: warps
//   Achieved occupancy      ███████▊░░░░░░░░░░░░░░░░░░░░░░░░  24.4 %  15.6 warps; SMs from 21.9 to 24.9 %
//   ...
#pragma once

#include "tools/report/document.h"
#include "tools/report/summary.h"

namespace heddle::report {

/// The whole report of one run.
Document run_document(const Summary& summary);

}  // namespace heddle::report
