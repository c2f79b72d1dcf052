// A kernel that executes, wired to a GPU: the one place where what a GPU file says of execution (warp size,
// divergence, tensor arithmetic) reaches the lanes.
#pragma once

#include "isa/exec/access_checks.h"
#include "isa/exec/block_team.h"
#include "isa/exec/live_kernel.h"
#include "sim/config/gpu_spec.h"

namespace heddle::session {

/// `memory` must outlive the kernel. Throws InputError if an instruction needs more lanes than a warp of the GPU has.
exec::LiveKernel live_kernel(const sim::GpuSpec& spec, exec::Launch launch, exec::GlobalMemory& memory);

/// The same by another divergence mechanism than the GPU's.
exec::LiveKernel live_kernel(const sim::GpuSpec& spec, exec::Launch launch, exec::GlobalMemory& memory,
                             exec::Divergence divergence);

/// Runs all of it for its results alone: on `team`, or, if `checks` hears of its accesses to memory, on this thread; null:
/// nobody does. Throws KernelFault.
exec::FunctionalCounts execute(exec::LiveKernel& kernel, exec::BlockTeam& team, exec::AccessChecks* checks);

}  // namespace heddle::session
