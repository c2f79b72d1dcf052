// What holds a kernel back, in a sentence, and what its launch costs beside that.
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
  Ratio gain;        ///< How many times as fast the run would be at most without what `kind` names; nothing
                     ///< of "well_used" and "several".
  std::string text;
  std::string
      beside;  ///< What the launch and the grid cost, about which the kernel can do nothing; or empty.
};

/// The time after the launch, of SMs that get a block, goes to a resource that is as busy as it can be; or to
/// SMs without a block while others have one, to waits, to lanes that do no work, of which the greatest is
/// named; or to use.
Verdict judge(const Summary& summary);

}  // namespace heddle::report
