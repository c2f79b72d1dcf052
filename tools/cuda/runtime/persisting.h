// Windows of memory whose lines a program wants to stay in L2. They are taken and remembered, and move no
// time.
#pragma once

#include "tools/cuda/runtime/gpu.h"

namespace heddle::cudart {

/// Throws Failure if the GPU knows no such window.
void note_window(Gpu& gpu, const cudaAccessPolicyWindow& window);

}  // namespace heddle::cudart
