// A run with what its command line wants to see of it: a line that says how far it is, a timeline.
#pragma once

#include <functional>
#include <string>

#include "isa/stream/warp_source.h"
#include "sim/config/gpu_spec.h"
#include "sim/gpu/run.h"
#include "tools/heddle/run_request.h"

namespace heddle::command {

struct WatchedRun {
  sim::RunResult result;
  std::string timeline;  ///< Empty if none is asked for.
};

/// What to call an instruction.
using InstructionText = std::function<std::string(Pc)>;

/// `l2`: what L2 holds before and after; may be null.
WatchedRun run_watched(const RunRequest& request, const sim::GpuSpec& spec, stream::KernelSource& kernel,
                       const InstructionText& instruction, sim::L2Contents* l2 = nullptr);

}  // namespace heddle::command
