// What is done with a GPU when its program ends.
#pragma once

#include "tools/cuda/runtime/gpu.h"
#include "tools/cuda/runtime/settings.h"

namespace heddle::cudart {

/// Lets what still runs come to its end, whose fault is said on standard error. Throws InputError if a report
/// cannot be written.
void settle(Gpu& gpu);

/// Says on standard error what checks have found. Returns whether they found anything.
bool tell_findings(Gpu& gpu, const Settings& settings);

/// Lets what still runs come to its end, and writes the table of all launches, and reports that are still
/// open. What cannot be written is said on standard error, and what checks have found. Returns whether they
/// found anything. Throws nothing.
bool finish_gpu(Gpu& gpu, const Settings& settings) noexcept;

}  // namespace heddle::cudart
