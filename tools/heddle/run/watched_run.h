// A run with what its command line wants to see of it: how far it is, a timeline.
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

/// Hears now and then how far the run is; may be empty.
using WatchRun = std::function<void(const sim::Progress&)>;

struct WatchedRun {
  sim::RunResult result;
  sim::GpuSpec spec;                         ///< What was simulated: the GPU, or a sample of its SMs.
  std::optional<report::SampleSize> sample;  ///< Where it is one.
  std::string timeline;                      ///< Empty if none is asked for.
};

/// What to call an instruction.
using InstructionText = std::function<std::string(Pc)>;

/// Of as many SMs as the request asks for. `l2`: what L2 holds before and after; may be null. `watch`: null
/// for a line on the terminal. Where the program fails, the timeline as far as it goes is handed over as the
/// report would be, before the KernelFault is thrown.
WatchedRun run_watched(const RunRequest& request, const sim::GpuSpec& spec, stream::KernelSource& kernel,
                       const InstructionText& instruction, sim::L2Contents* l2, const WatchRun* watch);

}  // namespace heddle::command
