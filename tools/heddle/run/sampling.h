// What --sms asks for: some of a GPU's SMs for the whole.
#pragma once

#include "isa/base/diagnostic.h"
#include "isa/ir/kernel.h"
#include "sim/device/sample.h"
#include "tools/heddle/run/run_request.h"

namespace heddle::command {

/// All SMs if nothing is asked for. Throws UsageError if the GPU has fewer than are asked for.
sim::SmSample sample_of(const RunRequest& request, const sim::GpuSpec& whole);

/// Blocks that wait for other blocks would wait for ever for one that is left out: adds where a kernel's
/// blocks may do so.
void require_apart(const ir::Kernel& kernel, Diagnostics& problems);

/// The blocks that the sample leaves out, for their results. They come after those of the sample, so that how
/// long the sample takes does not depend on whether anybody asks for results. --max-cycles ends them, too.
void execute_rest(const RunRequest& request, const sim::GpuSpec& spec, launch::LaunchFile& file);

}  // namespace heddle::command
