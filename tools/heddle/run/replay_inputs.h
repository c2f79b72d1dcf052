// What a replay reads, looked at before the first kernel runs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/config/gpu_spec.h"
#include "tools/heddle/run/run_request.h"
#include "tools/heddle/trace/trace_list.h"

namespace heddle::command {

/// A trace says what happened: nothing of the launch can be changed, and there are no values. Throws
/// UsageError.
void require_trace_request(const RunRequest& request);

/// The kernels that are asked for, each with what befalls L2 between the one before and it.
std::vector<TracedKernel> chosen_kernels(const RunRequest& request);

/// All files that are read: lists, GPU files, traces and what stands beside them.
std::vector<std::string> files_read(std::span<const RunRequest> points,
                                    const std::vector<TracedKernel>& kernels);

/// All heads that cannot be read, and all kernels that do not fit one of the GPUs, before the first one runs.
/// Throws InputError.
void require_heads(const std::vector<TracedKernel>& kernels, const std::vector<sim::GpuSpec>& specs);

}  // namespace heddle::command
