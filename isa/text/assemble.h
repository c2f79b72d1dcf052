// Kernel text in: NVIDIA's mnemonics with labels, named parameters and guards.
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
#include "isa/ir/kernel.h"

namespace heddle::text {

/// A kernel of a file, and what is wrong with it: then it is not whole.
struct KernelText {
  ir::Kernel kernel;
  std::vector<Diagnostic> mistakes;
};

/// All kernels of a text, one at least, be it written for Heddle or what cuobjdump -sass or nvdisasm print. `file` is
/// only named in messages. Throws InputError if there is no kernel, or too much of everything.
std::vector<KernelText> read_kernels(std::string_view text, const std::string& file);

/// Reads a file. Throws InputError likewise.
std::vector<KernelText> read_kernel_file(const std::string& path);

/// The kernels, none of which may have a mistake: throws InputError with those of all.
std::vector<ir::Kernel> without_mistakes(std::vector<KernelText> kernels);

/// All kernels of a text. Throws InputError with every mistake found.
std::vector<ir::Kernel> assemble(std::string_view text, const std::string& file);

/// Reads and assembles a file.
std::vector<ir::Kernel> assemble_file(const std::string& path);

}  // namespace heddle::text
