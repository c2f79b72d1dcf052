// A run with what its command line wants to see of it: a line that says how far it is, a timeline.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "isa/stream/warp_source.h"
#include "sim/config/gpu_spec.h"
#include "sim/gpu/run.h"
#include "tools/heddle/run/run_request.h"
#include "tools/report/summary.h"

namespace heddle::command {

struct WatchedRun {
  sim::RunResult result;
  sim::GpuSpec spec;                         ///< What was simulated: the GPU, or a sample of its SMs.
  std::optional<report::SampleSize> sample;  ///< Where it is one.
  std::string timeline;                      ///< Empty if none is asked for.
};

/// What to call an instruction.
using InstructionText = std::function<std::string(Pc)>;

/// Of as many SMs as the request asks for. `l2`: what L2 holds before and after; may be null.
WatchedRun run_watched(const RunRequest& request, const sim::GpuSpec& spec, stream::KernelSource& kernel,
                       const InstructionText& instruction, sim::L2Contents* l2 = nullptr);

}  // namespace heddle::command
