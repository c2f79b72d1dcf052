// What all pictures have in common: their options, a run that is watched, and where the picture goes.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "isa/exec/live_kernel.h"
#include "sim/config/gpu_spec.h"
#include "sim/device/options.h"
#include "tools/heddle/base/options.h"
#include "tools/launch/launch_file.h"
#include "tools/report/provenance.h"
#include "tools/report/summary.h"
#include "tools/show/picture.h"

namespace heddle::command {

/// What to show, on which GPU, and where.
struct ShowRequest {
  std::vector<std::string> launches;  ///< Paths.
  std::string gpu;
  Overrides settings;
  launch::LaunchOverrides overrides;
  std::optional<std::string> svg;
  std::optional<std::string> output;
  report::Provenance provenance;
};

/// Adds the options of all pictures to a syntax with the operand "launch". `gpu` is the GPU if none is named.
void add_show_options(Syntax& syntax, const char* gpu);

/// `command` is "show latency"; `example` is shown if no launch is named. Throws UsageError, and InputError
/// if the picture cannot be written.
ShowRequest show_request_of(const Syntax& syntax, const OptionValues& values, const Arguments& arguments,
                            std::string_view command, const std::string& example);

/// "divergent_16_16"
std::string short_name(const std::string& path);

/// Adds a launch and the GPU to what the picture was made from.
void add_inputs(ShowRequest& request, const launch::LaunchFile& file, const sim::GpuSpec& spec);

/// Makes what listens to a run. It must live until the run has ended.
using MakeObserver = std::function<sim::Observer*(const exec::LiveKernel&)>;
/// Makes what stands between the kernel and the timing model; likewise.
using MakeSource = std::function<stream::KernelSource*(exec::LiveKernel&)>;

/// Runs the launch on a GPU of its own, on one thread. Either function can be empty; in the cycles of
/// `samples` the observer hears what every warp does. Throws InputError and
/// KernelFault.
report::Summary watched(launch::LaunchFile& file, const sim::GpuSpec& spec, const MakeObserver& observer,
                        const MakeSource& source = {}, sim::CycleRange samples = {});

/// Writes the picture with what it was made from: the SVG first, so that a mistake with it shows at once.
void deliver_picture(const ShowRequest& request, show::Picture picture);

}  // namespace heddle::command
