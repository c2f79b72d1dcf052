// Chooses kernels of a text that have no mistakes: all of them, or the wanted one.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "isa/text/assemble.h"

namespace heddle::text {

/// Returns the module if no kernel has a mistake; else throws InputError with all mistakes. If some kernels have
/// none, the message also says which kernels cannot be run, and that `option` chooses another.
ir::Module all_kernels(ModuleText read, std::string_view option);

/// The index of the kernel that ir::find_entry finds. Throws InputError if there is no such kernel; the message says
/// that `option` chooses a kernel.
std::size_t chosen_entry(const ir::Module& module, const std::optional<std::string>& wanted, std::string_view option);

/// Returns the kernel that ir::find_entry finds. Throws InputError with its mistakes, or if there is no such kernel; the
/// message says that `option` chooses a kernel.
ir::Kernel choose_kernel(ModuleText read, const std::optional<std::string>& wanted, std::string_view option);

}  // namespace heddle::text
