// A kernel: its instructions, and what a launch must know to place it on a GPU.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/base/types.h"
#include "isa/ir/instruction.h"

namespace heddle::ir {

enum class ParamType : std::uint8_t { U32, S32, F32, U64, Pointer };

constexpr unsigned size_of(ParamType type) {
  return type == ParamType::U64 || type == ParamType::Pointer ? 8 : 4;
}

/// A parameter and where it lies in constant bank 0.
struct Param {
  std::string name;
  ParamType type = ParamType::U32;
  std::uint32_t offset = 0;
};

/// A named piece of the block's static shared memory.
struct SharedSymbol {
  std::string name;
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
};

/// Named data in the kernel's constant bank 3.
struct ConstantSymbol {
  std::string name;
  ParamType type = ParamType::U32;  ///< U32, S32 or F32.
  std::uint32_t offset = 0;
  std::uint32_t count = 0;          ///< Elements.
};

inline constexpr std::uint32_t kConstantSymbolAlignment = 16;

struct Label {
  std::string name;
  Pc pc = 0;
};

/// Of the encoding, since compute capability 7.0: what disassemblers and traces count addresses in.
inline constexpr std::uint64_t kInstructionBytes = 16;

// Constant banks have kConstantBankBytes at most. Bank 0 is as the CUDA driver lays it out for compute
// capability 7.0 to 9.0; what it keeps in front of the parameters and is not listed here reads as zero.
inline constexpr std::uint32_t kBlockDimOffset = 0x0;  ///< blockDim.x, y, z
inline constexpr std::uint32_t kGridDimOffset = 0xc;   ///< gridDim.x, y, z
/// Where a thread's stack begins: the end of its local memory.
inline constexpr std::uint32_t kStackOffset = 0x28;
// The first parameter, as cubins by ptxas 13.0 say (EIATTR_PARAM_CBANK); from 10.0 on it is 0x380, and sizes
// lie elsewhere.
inline constexpr std::uint32_t kParamOffset = 0x160;    ///< of compute capability 7.0 to 8.9
inline constexpr std::uint32_t kParamOffset90 = 0x210;  ///< of 9.0
inline constexpr std::uint32_t kParamOffset100 = 0x380;
inline constexpr std::uint32_t kConstantBankBytes = 0x10000;

struct Kernel {
  std::string name;
  std::string file;  ///< As given by the user, for messages.
  std::vector<Instruction> instructions;
  std::vector<Param> params;
  std::uint32_t param_base = kParamOffset;  ///< Where they begin in bank 0: kParamOffset or kParamOffset90.
  std::vector<SharedSymbol> shared_symbols;
  std::vector<ConstantSymbol> constant_symbols;
  std::vector<std::uint32_t> constant_data;  ///< The words of constant bank 3.
  std::vector<Label> labels;            ///< In the order of their Pc.
  std::uint32_t registers = 0;          ///< Per thread: one more than the highest one used.
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t barriers = 0;           ///< Named barriers of a block: one more than the highest one used.
  std::uint32_t local_bytes = 0;        ///< Of each thread.
  /// Whether the registers were numbered for the banks of a register file, as a compiler for a GPU does it. Of other
  /// text the numbers say nothing about banks, and no conflicts are modelled.
  bool banked = false;
};

/// A value in constant bank 0 that a kernel may name: c[blockDim.x].
struct NamedConstant {
  std::string_view name;
  std::uint32_t offset;
};

inline constexpr NamedConstant kLaunchConstants[] = {
    {"blockDim.x", kBlockDimOffset},     {"blockDim.y", kBlockDimOffset + 4},
    {"blockDim.z", kBlockDimOffset + 8}, {"gridDim.x", kGridDimOffset},
    {"gridDim.y", kGridDimOffset + 4},   {"gridDim.z", kGridDimOffset + 8},
};

}  // namespace heddle::ir
