// Reads what NVIDIA's compiler prints about kernels: the output of `ptxas -v`, `nvcc -Xptxas -v` or `nvcc
// --resource-usage`. Other lines of a build log are skipped.
//
//   ptxas info    : Compiling entry function '_Z4axpyfPf' for 'sm_90a'
//   ptxas info    : Function properties for _Z4axpyfPf
//       0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
//   ptxas info    : Used 10 registers, used 1 barriers, 4224 bytes smem, 368 bytes cmem[0]
//
// CUDA 12 prints the barriers; CUDA 13 prints no constant memory from sm_90 on. The oldest versions print
// shared memory as 4096+16 and no architecture. A JIT compiler leaves out the first line. For a binary,
// cuobjdump -res-usage prints the same in other words:
//
//    Function _Z4topk:
//     REG:64 STACK:0 SHARED:4256 LOCAL:0 CONSTANT[0]:380 TEXTURE:0 SURFACE:0 SAMPLER:0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/base/diagnostic.h"

namespace heddle::occupancy {

/// A kernel and its resources, as the compiler reports them. Sizes are in bytes.
struct CompiledKernel {
  std::string mangled;
  std::string name;          ///< Demangled if it is a C++ name.
  std::string architecture;  ///< "sm_90a"; empty if the text does not say.
  std::uint32_t registers = 0;
  std::uint32_t static_shared = 0;
  std::optional<std::uint32_t> barriers;  ///< Not set for older compilers, which do not print it.
  std::uint32_t stack_bytes = 0;
  std::uint32_t spill_stores = 0;
  std::uint32_t spill_loads = 0;
  SourceLocation where;
};

/// The kernels in the order of the text. Throws InputError if there is none, or one without a register count.
/// Messages call the text `file`.
std::vector<CompiledKernel> read_ptxas(std::string_view text, const std::string& file);

}  // namespace heddle::occupancy
