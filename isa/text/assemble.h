// Parses kernel text into a module: NVIDIA's mnemonics with labels, named parameters and guards.
//
//   .kernel vecadd
//   .param a ptr
//   .param b ptr
//   .param c ptr
//   .param n u32
//       S2R R0, SR_TID.X
//       S2R R1, SR_CTAID.X
//       IMAD R0, R1, c[blockDim.x], R0        // i = blockIdx.x * blockDim.x + threadIdx.x
//       ISETP.GE.U32.AND P0, PT, R0, c[n], PT
//   @P0 EXIT
//       IMAD.WIDE R2, R0, 0x4, c[a]
//       LDG.E R6, [R2.64]
//       IMAD.WIDE R4, R0, 0x4, c[b]
//       LDG.E R7, [R4.64]
//       IMAD.WIDE R8, R0, 0x4, c[c]
//       FADD R6, R6, R7
//       STG.E [R8.64], R6
//       EXIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "isa/base/diagnostic.h"
#include "isa/ir/module.h"

namespace heddle::text {

/// A module and the mistakes of its text.
struct ModuleText {
  ir::Module module;
  /// The mistakes of each function. With mistakes, the function is incomplete.
  std::vector<std::vector<Diagnostic>> mistakes;
};

/// Reads all kernels of a text, at least one. The text is written for Heddle, or printed by cuobjdump -sass
/// or nvdisasm. Messages call the text `file`. Throws InputError if there is no kernel, or if a limit on size
/// is exceeded.
ModuleText read_module(std::string_view text, const std::string& file);

/// Reads a file. Throws InputError in the same cases.
ModuleText read_module_file(const std::string& path);

/// Returns the module if no kernel has a mistake; else throws InputError with all mistakes.
ir::Module without_mistakes(ModuleText read);

/// Reads the module of a text. Throws InputError with all mistakes.
ir::Module assemble_module(std::string_view text, const std::string& file);

/// Reads all kernels of a text. Throws InputError with all mistakes.
std::vector<ir::Kernel> assemble(std::string_view text, const std::string& file);

/// Reads and assembles a file.
std::vector<ir::Kernel> assemble_file(const std::string& path);

}  // namespace heddle::text
