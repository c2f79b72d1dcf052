// Machine code for one compute capability, as ptxas and nvlink write it into a .cubin: its functions, what a
// launch must know of each, and constants.
//
// The ELF file has for a function F the sections .text.F (code), .nv.info.F (attributes), .nv.constant0.F
// (bank 0: what a launch defines, then parameters), .nv.constant2.F (tables of jumps), .nv.shared.F (static
// shared memory), and for all together .nv.info, .nv.constant3 (__constant__) and
// .nv.constant4 (addresses of variables), and perhaps .debug_line (source lines). Attributes are those that
// nvdisasm names EIATTR_...
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/base/dim3.h"
#include "isa/ir/kernel.h"

namespace heddle::cubin {

/// An encoded instruction: bits 0 to 63, then bits 64 to 127.
using Encoding = std::array<std::uint64_t, 2>;

/// Since compute capability 9.0 shared variables begin at this address, as ptxas 13.0 places them.
inline constexpr std::uint32_t kReservedSharedBytes = 1024;

/// The kinds of relocations, as found in files of ptxas 13.0, that put half of an address into an
/// instruction, from bit 32 on: R_CUDA_ABS32_LO_32 and R_CUDA_ABS32_HI_32.
inline constexpr std::uint32_t kLowWordRelocation = 0x38;
inline constexpr std::uint32_t kHighWordRelocation = 0x39;
/// The same of the address by which kernels launch a kernel: R_CUDA_FUNC_DESC32_LO_32 and R_CUDA_FUNC_DESC32_HI_32.
inline constexpr std::uint32_t kLowKernelRelocation = 0x3e;
inline constexpr std::uint32_t kHighKernelRelocation = 0x3f;

/// An instruction is to have the address of a symbol, which the file leaves open.
struct CodeRelocation {
  std::uint64_t at = 0;    ///< The instruction's address in its function.
  std::uint32_t kind = 0;  ///< NVIDIA's R_CUDA_...
  std::string symbol;
  std::uint64_t addend = 0;
};

/// Code of another function behind a function's own: where it begins in Function::code, and at which address.
struct LinkedCode {
  std::size_t begin = 0;
  std::uint64_t address = 0;
};

/// A function.
struct Function {
  std::string name;                ///< Mangled.
  bool is_entry = true;            ///< A kernel; else one that kernels call.
  std::vector<Encoding> code;      ///< In order, from address 0 on.
  std::uint32_t registers = 0;     ///< Per thread (EIATTR_REGCOUNT).
  std::uint32_t barriers = 0;      ///< Of a block (EIATTR_NUM_BARRIERS).
  std::uint32_t shared_bytes = 0;  ///< Static shared memory of a block, without the reserved bytes.
  /// What the system keeps of a block's shared memory in front of the kernel's own: kReservedSharedBytes
  /// from 9.0 on.
  std::uint32_t reserved_shared_bytes = 0;
  std::uint32_t frame_bytes = 0;  ///< Stack of a thread (EIATTR_FRAME_SIZE).
  Dim3 cluster;                   ///< The blocks of a cluster (EIATTR_CTA_PER_CLUSTER).
  std::uint32_t param_base = 0;   ///< Where parameters begin in bank 0 (EIATTR_PARAM_CBANK).
  std::uint32_t param_bytes = 0;  ///< Bytes of all of them.
  std::vector<ir::ParamSlot>
      params;  ///< In order (EIATTR_KPARAM_INFO); offsets count from the first parameter.
  std::vector<ir::SourcePlace> places;  ///< Where each instruction is from; empty if the file does not say.
  std::vector<std::uint32_t> tables;    ///< The words of constant bank 2.
  std::vector<CodeRelocation> relocations;  ///< What a loader, or link_functions(), still has to fill in.
  /// Functions without code in the file that it calls, by the file's call graph; where it has none, all of
  /// the file.
  std::vector<std::string> called;
  std::vector<LinkedCode> linked;  ///< What link_functions() has put behind its own code, in order.
  std::vector<std::size_t> system_functions;  ///< Those of Image::system_functions that it has besides.
};

/// The place of a function's address: in constant bank 4 (move_addresses() counts it from the begin of bank
/// 3), or in a variable.
struct FunctionPointer {
  std::string function;
  std::string variable;  ///< Empty for one in the bank.
  std::uint64_t at = 0;
};

/// An instruction as text.
struct TextInstruction {
  std::string label;  ///< In front of it; empty if nobody jumps there.
  std::string text;
  ir::ControlCode control;
};

/// A function of CUDA's own, such as vprintf, which a driver has the code of. Here whoever loads a file gives
/// it.
struct SystemFunction {
  std::string name;
  std::vector<TextInstruction> code;
  std::uint32_t local_bytes = 0;  ///< What it uses of a thread's local memory, from the begin on.
  std::uint64_t address = 0;      ///< The same in all kernels of the file.
};

/// The machine code of a file.
struct Image {
  unsigned capability = 0;               ///< 80 of 8.0.
  std::vector<Function> functions;       ///< In the order of their names.
  std::vector<std::string> files;        ///< The source files that places count.
  std::vector<std::uint32_t> constants;  ///< The words of constant bank 3.
  std::uint32_t address_bytes = 0;       ///< Of constant bank 4, where the addresses of variables are.
  /// Those whose addresses it has, and where, and those that lie in constant bank 3.
  std::vector<ir::UsedVariable> variables;
  std::vector<ir::Variable> all_variables;  ///< Each of the file's once, also those that no code names.
  std::vector<FunctionPointer> function_pointers;  ///< Of "vprintf", "malloc", virtual functions.
  std::vector<SystemFunction> system_functions;    ///< None before somebody gives them.
  std::uint64_t code_end = 0;  ///< Where the code of all functions ends; 0 before link_functions().
};

/// Whether the file has code for the function.
bool has_code(const Image& image, std::string_view function);

/// Whether the bytes are an ELF file of machine code for a GPU: a .cubin.
bool is_cubin(std::string_view bytes);

/// Reads a .cubin. Messages call it `file`. Throws InputError, with an offset, for a file that is cut off or
/// that contradicts itself, for code older than compute capability 7.0, whose instructions have other
/// encodings, and where there is no function.
Image read_image(std::string_view bytes, const std::string& file);

}  // namespace heddle::cubin
