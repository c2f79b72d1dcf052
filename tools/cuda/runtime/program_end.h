// What is done with a GPU when its program ends.
#pragma once

#include "tools/cuda/runtime/gpu.h"
#include "tools/cuda/runtime/settings.h"

namespace heddle::cudart {

/// Lets what still runs come to its end, and writes the table of all launches, and reports that are still
/// open. What cannot be written is said on standard error. Throws nothing.
void finish_gpu(Gpu& gpu, const Settings& settings) noexcept;

}  // namespace heddle::cudart
