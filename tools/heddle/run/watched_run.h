// A run with what its command line wants to see of it: how far it is, a timeline.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "isa/stream/warp_source.h"
#include "sim/config/gpu_spec.h"
#include "sim/device/device.h"
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

/// How the request wants the device that its runs take place on.
sim::DeviceOptions device_options(const RunRequest& request);

/// On the device, which has as many of the GPU's SMs as the request asks for. `watch`: null for a line on the
/// terminal. Where the program fails, the timeline as far as it goes is handed over as the report would be,
/// before the KernelFault is thrown.
WatchedRun run_watched(const RunRequest& request, const sim::GpuSpec& spec, stream::KernelSource& kernel,
                       const InstructionText& instruction, sim::Device& device, const WatchRun* watch);

}  // namespace heddle::command
