// PTX to IR: a kernel as a GPU of a generation would run it.
#pragma once

#include <string>
#include <vector>

#include "isa/ir/kernel.h"
#include "isa/lower/target.h"
#include "isa/ptx/module.h"

namespace heddle::lower {

/// The entry function of this name with all that it calls, ready to be executed. Throws InputError that names
/// each instruction that cannot be lowered, with its place; instructions that no path reaches are not looked
/// at. Registers and the order of instructions are Heddle's own, an estimate of what NVIDIA's compiler would
/// do.
ir::Kernel lower_kernel(const ptx::Module& module, const std::string& entry, const Target& target,
                        unsigned most_registers = ir::kMaxRegister + 1U);

/// The source files that SourcePlace::file of lowered kernels counts.
std::vector<std::string> source_files(const ptx::Module& module);

}  // namespace heddle::lower
