// Makes kernel sources for a GPU from launches and traces.
#pragma once

#include "isa/exec/live_kernel.h"
#include "sim/config/gpu_spec.h"
#include "sim/trace/replay/replay_kernel.h"
#include "tools/launch/launch_file.h"
#include "tools/report/summary.h"

namespace heddle::sim {
class Device;
}

namespace heddle::command {

/// The kernel of a launch with the GPU's warp size, divergence model and tensor arithmetic. `file` must
/// outlive it.
exec::LiveKernel live_kernel(const sim::GpuSpec& spec, launch::LaunchFile& file);

/// Copies those buffers to the device that the file says are copied.
void copy_from_host(const launch::LaunchFile& file, sim::Device& device);

/// Throws InputError if the GPU's warps differ from those of traces.
void require_trace_lanes(const sim::GpuSpec& spec);

/// Timing classes that the GPU lacks are replaced by others. Throws like require_trace_lanes().
trace::ReplayOptions replay_options(const sim::GpuSpec& spec);

/// The description of a replayed trace for a report.
report::RunInfo trace_info(const std::string& path, const trace::ReplayKernel& kernel);

}  // namespace heddle::command
