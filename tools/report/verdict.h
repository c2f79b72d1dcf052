// The verdict: what holds a kernel back, in a sentence, and separately what its launch costs.
#pragma once

#include <string>

#include "tools/report/summary.h"

namespace heddle::report {

/// A verdict for people and for programs.
struct Verdict {
  /// For programs: "well_used", "several", "dram_bandwidth", "l2_bandwidth", "l2_fabric", "pipe",
  /// "l1_data_pipe", "bank_conflicts", "idle_sm", or the key of the greatest loss in the issue or lane
  /// ledger.
  std::string kind;
  /// The share that `kind` stands for: of the bandwidth, of the time of the pipe or of shared memory, or of
  /// all issue slots (for "several": everything that is lost).
  double share = 0;
  /// Upper limit for the speedup without what `kind` names; not set for "well_used" and "several".
  Ratio gain;
  std::string text;
  /// The cost of launch and grid, which the kernel cannot change; empty if it is small.
  std::string beside;
};

/// Judges the time after the launch, for SMs that get a block. If a resource is used to its limit, that is
/// the verdict. Otherwise it is the greatest loss: SMs without a block while others have one, waits, or lanes
/// that do no work. If losses are small, the time is well used.
Verdict judge(const Summary& summary);

}  // namespace heddle::report
