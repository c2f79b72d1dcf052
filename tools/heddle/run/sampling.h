// --sms: simulates some of a GPU's SMs as a sample of the whole.
#pragma once

#include <functional>

#include "isa/base/diagnostic.h"
#include "isa/ir/kernel.h"
#include "sim/device/sample.h"
#include "tools/heddle/run/run_request.h"

namespace heddle::command {

/// All SMs if --sms is not given. Throws UsageError if the GPU has fewer SMs than that.
sim::SmSample sample_of(const RunRequest& request, const sim::GpuSpec& whole);

/// The GPU, or the sample of its SMs, on which the request's launches or traces run.
sim::GpuSpec simulated_gpu(const RunRequest& request, const sim::GpuSpec& whole);

/// Blocks that wait for other blocks would wait forever for blocks outside of the sample. Adds a problem if
/// the kernel's blocks may wait for each other.
void require_apart(const ir::Kernel& kernel, Diagnostics& problems);

/// Executes the blocks outside of the sample, `rest`, for their results. This happens after the sample, so
/// that the sample's cycles do not depend on it. --max-cycles ends it, too.
void execute_rest(const RunRequest& request, const sim::GpuSpec& spec, launch::LaunchFile& file,
                  const std::function<bool(BlockId)>& rest);

}  // namespace heddle::command
