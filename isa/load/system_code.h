// CUDA's own functions in machine code: a driver has their code, and here it is that of PTX
// (lower/system_functions.h), lowered as machine code calls it.
#pragma once

#include <cstdint>

#include "isa/cubin/image.h"

namespace heddle::load {

/// Gives the image those of ir::kMachineCodeFunctions that it calls and has no code of but CUDA's, and the variables
/// that they use. Bank 4 must have been moved, and nothing been linked.
void add_system_functions(cubin::Image& image);

/// What those that the function calls use of a thread's local memory, from its begin on: a multiple of 16.
std::uint32_t local_bytes_of_system_functions(const cubin::Image& image, const cubin::Function& function);

}  // namespace heddle::load
