// Which kernel of a file is meant: by its name, as the compiler made it or as the programmer wrote it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/text/assemble.h"

namespace heddle::text {

/// What people call it: "vecadd(float const*, float const*, float*, int)" of _Z6vecaddPKfS0_Pfi; empty if a
/// C++ compiler made no such name.
std::string demangled(const std::string& name);

/// The one that is wanted, which needs no name if it is the only one: its name, what demangled() makes of it,
/// or that without parameters; "NAME@sm_90" where the file has it for several compute capabilities. Null if
/// none or several are.
KernelText* find_kernel(std::vector<KernelText>& kernels, const std::optional<std::string>& wanted);

/// "there are '_Z6vecaddPKfS0_Pfi' (vecadd(...)), 'saxpy'": what may be wanted.
std::string choices(const std::vector<KernelText>& kernels);

/// All kernels, none of which may have a mistake. Throws InputError with those of all; where some kernels have none, it
/// also says which ones cannot be run, and with `option` how another one is named.
std::vector<ir::Kernel> all_kernels(std::vector<KernelText> kernels, std::string_view option);

/// The kernel found so. Throws InputError with its mistakes, and where there is no such kernel: `option` says
/// how one is named.
ir::Kernel choose_kernel(std::vector<KernelText> kernels, const std::optional<std::string>& wanted,
                         std::string_view option);

}  // namespace heddle::text
