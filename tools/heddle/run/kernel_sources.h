// Launches and traces as a GPU takes them.
#pragma once

#include "isa/exec/live_source.h"
#include "sim/config/gpu_spec.h"
#include "sim/trace/replay/replay_kernel.h"
#include "tools/launch/launch_file.h"
#include "tools/report/summary.h"

namespace heddle::sim {
class Device;
}

namespace heddle::command {

/// The launch with the GPU's warp size, divergence and tensor arithmetic. `file` must outlive it.
exec::LiveKernel live_kernel(const sim::GpuSpec& spec, launch::LaunchFile& file);

/// The buffers that the file says are copied come to the device.
void copy_from_host(const launch::LaunchFile& file, sim::Device& device);

/// Throws InputError for a GPU whose warps are not those of traces.
void require_trace_lanes(const sim::GpuSpec& spec);

/// Instructions that the GPU does not have are timed as others. Throws as require_trace_lanes().
trace::ReplayOptions replay_options(const sim::GpuSpec& spec);

/// What a report says of a trace that has been replayed.
report::RunInfo trace_info(const std::string& path, const trace::ReplayKernel& kernel);

}  // namespace heddle::command
