// What holds a kernel back, in one sentence.
#pragma once

#include <string>

#include "tools/report/summary.h"

namespace heddle::report {

struct Verdict {
  std::string kind;  ///< For programs: "well_used", "several", "dram_bandwidth", "l2_bandwidth", "l2_fabric",
                     ///< "pipe", "l1_data_pipe", "bank_conflicts", "idle_sm", or the key of the part of the
                     ///< issue or lane ledger that is the greatest loss.
  double share = 0;  ///< How much of what `kind` names: of the bandwidth, of the pipe's or shared memory's
                     ///< time, of all issue slots (of "several": all that is lost).
  std::string text;
};

/// All issue slots of the GPU, from the launch to the end, went to idle SMs, to schedulers without warps, to
/// stalls, to lanes that did not work, or to use. The greatest loss is named, unless a resource is so
/// busy that it explains the waiting, or losses are small.
Verdict judge(const Summary& summary);

}  // namespace heddle::report
