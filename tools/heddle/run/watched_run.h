// A run with the outputs that its command line asks for: progress, a timeline, and its history for pictures.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "isa/stream/warp_source.h"
#include "sim/config/gpu_spec.h"
#include "sim/device/device.h"
#include "tools/heddle/run/run_request.h"
#include "tools/history/run_history.h"
#include "tools/report/summary.h"

namespace heddle::command {

/// Receives the progress of a run from time to time; can be empty.
using WatchRun = std::function<void(const sim::Progress&)>;

/// The results of such a run.
struct WatchedRun {
  sim::RunResult result;
  sim::GpuSpec spec;                            ///< The GPU that was simulated, or the sample of its SMs.
  std::optional<report::SampleSize> sample;     ///< Set if only a sample was simulated.
  std::optional<report::SampledBlocks> blocks;  ///< Set by simulate_launch() if blocks were to be left out;
  sim::BlockRange left_out;                     ///< these were.
  std::string timeline;                         ///< Empty unless it is asked for.
  std::string early_reads;                      ///< Likewise.
  std::optional<history::RunHistory> history;   ///< Set if a picture is asked for.
};

/// Gives the text of an instruction.
using InstructionText = std::function<std::string(Pc)>;

/// The options for the device on which the request runs.
sim::DeviceOptions device_options(const RunRequest& request);

/// Runs the kernel on the device, which has as many SMs as the request asks for. If `watch` is null, progress
/// is shown on the terminal. If the program fails, the timeline up to then is written like a report before
/// the KernelFault is thrown. `listener` hears of the run, too, and `sampler` leaves blocks out, if they are
/// not null.
WatchedRun run_watched(const RunRequest& request, const sim::GpuSpec& spec, stream::KernelSource& kernel,
                       const InstructionText& instruction, sim::Device& device, const WatchRun* watch,
                       sim::Observer* listener = nullptr, sim::BlockSampler* sampler = nullptr);

}  // namespace heddle::command
