// Runs a launch on a GPU, alone.
#pragma once

#include "isa/stream/warp_source.h"
#include "sim/config/gpu_spec.h"
#include "sim/device/options.h"
#include "sim/device/run_result.h"

namespace heddle::sim {

class Device;

/// On a new GPU. Throws InputError if not even one block fits an SM or the GPU has no such instructions,
/// KernelFault if the simulated program fails.
RunResult run(stream::KernelSource& kernel, const GpuSpec& spec, const RunOptions& options = {});

/// On a GPU on which nothing runs. How it goes through time, and on how many threads, is its own.
RunResult run(stream::KernelSource& kernel, Device& device, const RunOptions& options = {});

}  // namespace heddle::sim
