// Calls of functions that have sections of their own, as nvcc -rdc=true leaves them, and through addresses,
// as those of vprintf are in all code. A loader would give all functions of a file addresses. Here those of
// kernels begin at 0, and other functions lie behind the longest kernel, at the same addresses for all
// kernels, so that pointers to them mean the same everywhere. Each kernel gets the functions that it may call
// behind its own code.
#pragma once

#include "isa/cubin/image.h"

namespace heddle::cubin {

/// Links each kernel of the image, and gives Image::system_functions their addresses. Pointers to functions
/// are filled in. What is left in Function::relocations are places that nobody can fill in: symbols that have
/// no code, and functions of CUDA's device runtime, whose code speaks to a driver.
void link_functions(Image& image);

/// Whether it calls the function whose address a register has.
bool is_call_through_register(const Encoding& encoding);

}  // namespace heddle::cubin
