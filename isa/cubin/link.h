// Calls of functions that have sections of their own, as nvcc -rdc=true leaves them: a loader would give all functions of a
// file addresses. Here each kernel gets the functions that it calls behind its own code, and addresses count from its begin.
#pragma once

#include "isa/cubin/image.h"

namespace heddle::cubin {

/// Links each kernel of the image. What is left in Function::relocations are places that nobody can fill in: symbols that
/// have no code in the file, and functions of CUDA's device runtime, whose code speaks to a driver.
void link_functions(Image& image);

}  // namespace heddle::cubin
