// Asks NVIDIA's assembler about a kernel, where it is installed.
#pragma once

#include <string>

#include "isa/load/kernel_file.h"

namespace heddle::cuda {

/// The registers that ptxas gives a thread of this kernel of a PTX text, for the compute capability and with
/// the limit. Throws InputError if there is no ptxas in $PATH, or if it refuses the text; `option` says who
/// asks.
unsigned registers_of_ptxas(const std::string& ptx, const std::string& kernel, const load::Lowering& lowering,
                            const std::string& option);

}  // namespace heddle::cuda
