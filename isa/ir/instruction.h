// One static instruction: plain data, checked by the assembler before anyone else sees it.
#pragma once

#include <array>
#include <cstdint>

#include "isa/base/cuda_limits.h"
#include "isa/ir/control_code.h"
#include "isa/ir/opcode.h"

namespace heddle::ir {

/// Which register, uniform register or predicate an operand names. From kFirstVirtual on it is a virtual one, of which a
/// function has as many as it likes, until registers have been allocated: no GPU executes it.
using RegisterIndex = std::uint32_t;

inline constexpr RegisterIndex kFirstVirtual = 256;
inline constexpr RegisterIndex kFirstVirtualUniformPredicate = RegisterIndex{1} << 31;

constexpr bool is_virtual(RegisterIndex index) { return index >= kFirstVirtual; }

inline constexpr std::uint8_t kRegisterZero = 255;  ///< RZ: reads as zero, writes are lost.
inline constexpr std::uint8_t kPredicateTrue = 7;   ///< PT: reads as true, writes are lost.
inline constexpr std::uint8_t kFirstUniformPredicate = 8;  ///< UP0: uniform predicates are numbered behind PT.
inline constexpr std::uint8_t kUniformPredicateTrue = kFirstUniformPredicate + kPredicateTrue;  ///< UPT
inline constexpr std::uint8_t kMaxRegister = 254;
inline constexpr std::uint8_t kUniformZero = 63;    ///< URZ: reads as zero, writes are lost.
inline constexpr std::uint8_t kMaxUniform = 62;     ///< UR62
inline constexpr std::uint8_t kMaxConvergenceBarrier = 15;  ///< B15
inline constexpr std::uint8_t kMaxBlockBarrier = kMostBarriersPerBlock - 1;

inline constexpr std::uint8_t kLaunchBank = 0;  ///< Sizes of the launch and parameters.
inline constexpr std::uint8_t kTableBank = 2;   ///< What a compiler keeps beside its code: where switches lead.
inline constexpr std::uint8_t kDataBank = 3;    ///< What the kernel file declares by .const.

// Value of a Descriptors operand. What is transposed lies in shared memory with its columns (of A) or rows (of B) side
// by side: M or N is its major dimension instead of K.
inline constexpr std::uint64_t kTransposedA = 1;
inline constexpr std::uint64_t kTransposedB = 2;
inline constexpr std::uint64_t kNegatedA = 4;
inline constexpr std::uint64_t kNegatedB = 8;

/// What of a register is read: all; one half in the place of both; or, as a narrow integer, the upper half or a byte
/// other than the lowest. As written: nothing, .H0_H0, .H1_H1; .H1, .B1, .B2, .B3.
enum class RegisterPart : std::uint8_t { All, LowTwice, HighTwice, UpperHalf, Byte1, Byte2, Byte3 };

/// UP0 to UP6, UPT and virtual ones: one truth value for the warp.
constexpr bool is_uniform_predicate(RegisterIndex predicate) {
  return is_virtual(predicate) ? predicate >= kFirstVirtualUniformPredicate : predicate >= kFirstUniformPredicate;
}

/// PT or UPT.
constexpr bool is_true_predicate(RegisterIndex predicate) {
  return predicate == kPredicateTrue || predicate == kUniformPredicateTrue;
}

/// One operand of an instruction, as its text or encoding has it. Which fields count depends on `kind`.
struct Operand {
  /// What an operand is, and which fields hold it.
  enum class Kind : std::uint8_t {
    Register,   ///< index is the (first) register
    Predicate,  ///< index is the predicate, from kFirstUniformPredicate on a uniform one
    Immediate,  ///< value holds the bits
    Constant,   ///< value is the byte offset in constant bank `bank`
    IndexedConstant,  ///< the same, index being a register whose value is added to the offset; RZ: `uniform` is it
    Address,    ///< index is the (first) address register, value the signed byte offset
    Target,     ///< value is the Pc jumped to
    Special,    ///< index is the SpecialRegister
    ConvergenceBarrier,  ///< index is the barrier register
    Scoreboard,          ///< index is the scoreboard
    Uniform,             ///< index is the uniform register
    Descriptors,         ///< index is the first uniform register, value which matrices are transposed or negated
    GroupScoreboard,     ///< gsb0
    TextureShape,        ///< index is the TextureShape
  };

  constexpr Operand() = default;
  constexpr explicit Operand(Kind of_kind) : kind(of_kind) {}
  constexpr Operand(Kind of_kind, RegisterIndex at, bool is_negated = false, bool is_absolute = false,
                    std::uint64_t bits = 0)
      : kind(of_kind), negated(is_negated), absolute(is_absolute), index(at), value(bits) {}

  Kind kind = Kind::Immediate;
  bool negated = false;   ///< -R1 or -c[x] for numbers, !P0 for predicates.
  bool absolute = false;  ///< |R1|
  RegisterPart part = RegisterPart::All;  ///< Which part is read of a register, or of a constant in rows of halves.
  RegisterIndex index = 0;
  std::uint64_t value = 0;
  RegisterIndex uniform = kUniformZero;  ///< The uniform register that an address or an indexed constant adds: in
                                         ///< global memory the first one of a pair.
  std::uint8_t bank = 0;   ///< A constant's bank: kLaunchBank, kTableBank or kDataBank.
  std::uint8_t scale = 1;  ///< The register of an address in shared memory counts units of 1, 4, 8 or 16 bytes.
  bool is_narrow = false;  ///< The address in global memory is one register, R2.U32, rather than a pair.
  bool reuse = false;      ///< R1.reuse: what is read stays for the same operand of the next instruction.

  friend bool operator==(const Operand&, const Operand&) = default;
};

/// The condition an instruction stands under: @P0, @!P0 or @UP0. PT and UPT mean always.
struct Guard {
  RegisterIndex predicate = kPredicateTrue;
  bool negated = false;

  [[nodiscard]] bool always() const { return is_true_predicate(predicate) && !negated; }
  [[nodiscard]] bool never() const { return is_true_predicate(predicate) && negated; }
  friend bool operator==(const Guard&, const Guard&) = default;
};

/// One instruction of a kernel. It has no address: its place in Kernel::instructions is its Pc.
struct Instruction {
  Opcode opcode = Opcode::Nop;
  Guard guard;
  Modifiers modifiers;
  std::array<Operand, kMaxOperands> operands;  ///< As many as the opcode's row has, in its order.
  std::uint32_t line = 0;                      ///< In the kernel file; 0 if there is none.
  ControlCode control;  ///< Of machine code. All instructions of a kernel have one, or none has.
};

/// Columns of a warpgroup's product, 8 to 256; 0 if the instruction is none.
unsigned product_columns(const Instruction& instruction);

/// Dimensions of the tensor of a bulk copy; 0 if it has none.
unsigned tensor_rank(const Instruction& instruction);

/// Registers that its sums take.
unsigned product_registers(const Instruction& instruction);

/// Whether the product takes A from registers.
bool has_matrix_in_registers(const Instruction& instruction);

/// How many 32-bit registers an operand in this role takes in this instruction: 1, 2 or 4; matrices and sums of products more.
unsigned operand_width(const Instruction& instruction, OperandRole role);

/// How many bytes of each lane's registers a load, a store or an atomic moves: 1, 2, 4, 8 or 16.
unsigned data_bytes(const Instruction& instruction);

/// Whether it reads a register with .reuse.
bool keeps_registers(const Instruction& instruction);

/// How many bytes a constant in this role has.
unsigned constant_bytes(const Instruction& instruction, OperandRole role);

}  // namespace heddle::ir
