// A function of a module: its instructions, and for a kernel what a launch must know to place it on a GPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/base/types.h"
#include "isa/ir/instruction.h"

namespace heddle::ir {

/// The type of a kernel's parameter or constant. A pointer has 64 bits.
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

/// Where machine code has a parameter, of whatever type, behind the first byte of all.
struct ParamSlot {
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
};

/// A named piece of the block's static shared memory.
struct SharedSymbol {
  std::string name;
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
};

/// Where a variable of a module lies.
enum class VariableSpace : std::uint8_t {
  Global,    ///< __device__: all grids read and write it.
  Constant,  ///< __constant__: the host writes it, grids read it.
};

/// The address of a variable that another one begins with, as a pointer does.
struct Relocation {
  std::uint64_t offset = 0;  ///< Where the address, or a part of it, is put in the variable that begins with it.
  std::uint32_t bytes = 8;   ///< How many bytes it takes there.
  std::uint32_t shift = 0;   ///< The lowest bit of the address that is put there.
  std::string variable;      ///< The variable whose address it is.
  std::uint64_t addend = 0;  ///< How many bytes are added to that address.
};

/// A global or constant variable of a module. A device gives it an address and fills it when it loads the module.
struct Variable {
  std::string name;
  VariableSpace space = VariableSpace::Global;
  std::uint64_t bytes = 0;
  std::uint32_t alignment = 1;  ///< Its address is a multiple of this power of two.
  /// What it holds when the module is loaded; what is missing at its end is zero.
  std::vector<std::byte> data;
  std::vector<Relocation> relocations;  ///< The places in it that hold addresses of variables.
};

/// A variable that a kernel uses. Whoever launches the kernel completes constant bank 3 from `at` on: by the address of
/// a global variable, in 8 bytes; by what a constant one holds.
struct UsedVariable {
  /// `at` of a variable that the kernel does not name itself: only relocations of other variables do.
  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

  Variable variable;
  std::uint32_t at = kNowhere;
};

/// Named data in the kernel's constant bank 3.
struct ConstantSymbol {
  std::string name;
  ParamType type = ParamType::U32;  ///< U32, S32 or F32.
  std::uint32_t offset = 0;
  std::uint32_t count = 0;          ///< Elements.
};

inline constexpr std::uint32_t kConstantSymbolAlignment = 16;

/// A name for an instruction, as jumps use it.
struct Label {
  std::string name;
  Pc pc = 0;
};

/// The place in a source file that an instruction was made from. Line and column count from 1; 0: not known.
struct SourcePlace {
  std::uint32_t file = 0;  ///< In Module::files.
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// The bytes of an encoded instruction since compute capability 7.0. Disassemblers and traces count addresses in them.
inline constexpr std::uint64_t kInstructionBytes = 16;

// Constant banks have kConstantBankBytes at most. What bank 0 keeps in front of the parameters and is not listed here
// reads as zero.
inline constexpr std::uint32_t kParamOffset = 0x160;     ///< The first parameter, for compute capability 7.0 to 8.9.
inline constexpr std::uint32_t kParamOffset90 = 0x210;   ///< The same for 9.0.
inline constexpr std::uint32_t kParamOffset100 = 0x380;  ///< The same for 10.0 and later.

/// Where bank 0 has what a launch defines, as cubins by ptxas 13.0 of these compute capabilities read it.
struct LaunchBankLayout {
  std::uint32_t params;     ///< The first parameter (EIATTR_PARAM_CBANK); no two layouts have it in one place.
  std::uint32_t block_dim;  ///< blockDim.x, y, z
  std::uint32_t grid_dim;   ///< gridDim.x, y, z
  std::uint32_t stack;      ///< Where a thread's stack begins: the end of its local memory.
  std::uint32_t dynamic_shared;  ///< Bytes of shared memory that the launch adds; from 10.0 on a place of ours.
  /// The generic address at which shared memory begins, in 8 bytes, and that of local memory (windows.h). 0 where it is
  /// not known.
  std::uint32_t shared_window;
  std::uint32_t local_window;
  /// The cluster: whether the launch asked for one, its x, y and z in blocks, what a block's place is multiplied with to
  /// have its cluster's (floats, three), the grid's x, y and z in clusters. 0 where it is not known.
  std::uint32_t cluster;
  std::uint32_t cluster_blocks;  ///< How many blocks a cluster has, likewise.
  std::uint32_t parameters;   ///< The generic address at which parameters begin, in 8 bytes, likewise.
  std::uint32_t grid_number;  ///< What %gridid is: a place of ours, since no cubin tells of one.
};

inline constexpr LaunchBankLayout kLaunchBankLayouts[] = {
    {kParamOffset, 0x0, 0xc, 0x28, 0x2c, 0x18, 0x20, 0, 0, 0, 0x30},
    {kParamOffset90, 0x0, 0xc, 0x28, 0x2c, 0x18, 0x20, 0x140, 0x188, 0x198, 0x30},
    {kParamOffset100, 0x360, 0x370, 0x37c, 0x36c, 0, 0, 0, 0, 0, 0x350},
};

/// The layout whose parameters begin there; that of 7.0 to 8.9 if none does.
constexpr const LaunchBankLayout& launch_bank_layout(std::uint32_t params) {
  for (const LaunchBankLayout& layout : kLaunchBankLayouts) {
    if (layout.params == params) return layout;
  }
  return kLaunchBankLayouts[0];
}

inline constexpr std::uint32_t kConstantBankBytes = 0x10000;

/// A function: a kernel, or one that kernels call. Plain data, made by a reader or by lowering, checked by verify(),
/// and not changed while it runs.
struct Kernel {
  std::string name;
  std::string file;  ///< As given by the user, for messages.
  bool is_entry = true;  ///< A launch can begin here; otherwise only calls from other functions lead here.
  std::vector<Instruction> instructions;
  std::vector<Param> params;
  std::uint32_t param_base = kParamOffset;  ///< Where they begin in bank 0: that of a LaunchBankLayout.
  /// What a disassembly leaves open: how many parameters there are, of what sizes. The launch says it.
  bool has_open_params = false;
  std::vector<ParamSlot> param_slots;  ///< The open parameters, in order, where the disassembly tells them.
  /// Compute capability, 90 of 9.0, of the machine code that the text is a disassembly of; 0 if it names none.
  unsigned compute_capability = 0;
  std::vector<SharedSymbol> shared_symbols;
  std::vector<ConstantSymbol> constant_symbols;
  std::vector<std::uint32_t> constant_data;  ///< The words of constant bank 3.
  std::vector<UsedVariable> variables;       ///< Variables of the module that it uses.
  std::vector<std::uint32_t> table_data;     ///< The words of constant bank 2, which compilers fill for themselves.
  std::vector<Label> labels;            ///< In the order of their Pc.
  std::vector<SourcePlace> sources;     ///< By Pc; empty where nothing is known of them.
  /// By Pc, of a disassembly: where the instruction lies, in bytes. Values that are return addresses count so.
  std::vector<std::uint64_t> addresses;
  std::uint32_t registers = 0;          ///< Per thread: one more than the highest one used, at least.
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t barriers = 0;           ///< Named barriers of a block: one more than the highest one used.
  std::uint32_t local_bytes = 0;        ///< Local memory of each thread.
  /// Lowered from PTX.
  bool is_lowered = false;
  /// Its registers, and the order of its instructions, are an estimate of what a GPU would run.
  bool is_estimated = false;
  /// Whether the registers were numbered for the banks of a register file, as a compiler for a GPU does it. If not, the
  /// numbers say nothing about banks, and no conflicts are modelled.
  bool banked = false;
};

/// Whether its warps wait for what control codes say, rather than for registers.
inline bool has_control_codes(const Kernel& kernel) {
  return !kernel.instructions.empty() && kernel.instructions.front().control.is_given;
}

/// Whether a compiler made it: of PTX, or with control codes.
inline bool is_compiled(const Kernel& kernel) { return kernel.is_lowered || has_control_codes(kernel); }

/// Whether it is a mistake to read a register that nobody wrote. Compilers let kernels do it: they leave out the guard of
/// what nobody uses where it does not hold, such as a difference of a quotient that was computed under it.
inline bool must_write_before_reading(const Kernel& kernel) { return !is_compiled(kernel); }

/// A value in constant bank 0 that a kernel may name: c[blockDim.x].
struct NamedConstant {
  std::string_view name;
  std::uint32_t LaunchBankLayout::* first;  ///< Where x, y and z lie,
  std::uint32_t step;                       ///< and which of them this is, in bytes behind x.

  [[nodiscard]] constexpr std::uint32_t offset(const Kernel& kernel) const {
    return launch_bank_layout(kernel.param_base).*first + step;
  }
};

inline constexpr NamedConstant kLaunchConstants[] = {
    {"blockDim.x", &LaunchBankLayout::block_dim, 0}, {"blockDim.y", &LaunchBankLayout::block_dim, 4},
    {"blockDim.z", &LaunchBankLayout::block_dim, 8}, {"gridDim.x", &LaunchBankLayout::grid_dim, 0},
    {"gridDim.y", &LaunchBankLayout::grid_dim, 4},   {"gridDim.z", &LaunchBankLayout::grid_dim, 8},
};

}  // namespace heddle::ir
