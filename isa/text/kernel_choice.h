// Chooses a kernel of a file by its mangled or demangled name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/text/assemble.h"

namespace heddle::text {

/// The demangled name: "vecadd(float const*, float const*, float*, int)" for _Z6vecaddPKfS0_Pfi. Empty if the
/// name is not a mangled C++ name.
std::string demangled(const std::string& name);

/// Finds the wanted kernel. A name is not needed if there is only one kernel. The name can be mangled,
/// demangled, or demangled without parameters; "NAME@sm_90" chooses among several compute capabilities. Null
/// if no kernel or several kernels match.
KernelText* find_kernel(std::vector<KernelText>& kernels, const std::optional<std::string>& wanted);

/// The list of kernels for messages: "there are '_Z6vecaddPKfS0_Pfi' (vecadd(...)), 'saxpy'".
std::string choices(const std::vector<KernelText>& kernels);

/// Returns all kernels if none has a mistake; else throws InputError with all mistakes. If some kernels have
/// none, the message also says which kernels cannot be run, and that `option` chooses another.
std::vector<ir::Kernel> all_kernels(std::vector<KernelText> kernels, std::string_view option);

/// Returns the wanted kernel. Throws InputError with its mistakes, or if there is no such kernel; the message
/// says that `option` chooses a kernel.
ir::Kernel choose_kernel(std::vector<KernelText> kernels, const std::optional<std::string>& wanted,
                         std::string_view option);

}  // namespace heddle::text
