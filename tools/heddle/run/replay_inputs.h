// Reads and checks the inputs of a replay before the first kernel runs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/config/gpu_spec.h"
#include "tools/heddle/run/run_request.h"
#include "tools/heddle/trace/trace_list.h"

namespace heddle::command {

/// Throws UsageError if the request changes the launch or asks for values, since a trace allows neither.
void require_trace_request(const RunRequest& request);

/// Loads the GPU of each point. Throws InputError if traces cannot be replayed on one of them.
std::vector<sim::GpuSpec> choose_gpus(std::span<const RunRequest> points);

/// The kernels that were asked for. Each comes with what happens to L2 between the kernel before and it.
std::vector<TracedKernel> chosen_kernels(const RunRequest& request);

/// All input files: lists, GPU files, traces and their facts files.
std::vector<std::string> files_read(std::span<const RunRequest> points,
                                    const std::vector<TracedKernel>& kernels);

/// Throws InputError for all heads that cannot be read, and for all kernels that do not fit one of the GPUs.
void require_heads(const std::vector<TracedKernel>& kernels, const std::vector<sim::GpuSpec>& specs);

}  // namespace heddle::command
