// The instruction table as C++ sees it, made from opcodes.def.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "isa/ir/modifier.h"
#include "isa/ir/timing_class.h"

namespace heddle::ir {

enum class Opcode : std::uint8_t {
#define OPCODE(name, ...) name,
#include "isa/ir/opcodes.def"
#undef OPCODE
  kCount
};

inline constexpr std::size_t kOpcodes = static_cast<std::size_t>(Opcode::kCount);

/// Who carries an instruction out.
enum class Action : std::uint8_t {
  Lanes,            ///< each lane by itself: registers and predicates in, registers and predicates out
  SpecialRegister,  ///< needs to know which thread a lane is
  Shuffle,          ///< lanes read one another's registers
  Load,
  Store,
  Branch,
  Barrier,
  Exit,
  Nop,
};

/// How a bare number in an operand is read: `1` is one, or 1.0f.
enum class NumberType : std::uint8_t { Integer, Float };

/// What may stand in an operand's place, and how many registers wide it is.
enum class OperandRole : std::uint8_t {
  DstReg,         ///< register written
  DstPair,        ///< aligned register pair written
  DstData,        ///< 1, 2 or 4 aligned registers written, by the Width modifier
  DstPred,        ///< predicate written
  SrcReg,         ///< register read
  Src,            ///< register, immediate, or 32-bit constant
  SrcPair,        ///< aligned register pair, or 64-bit constant
  SrcData,        ///< 1, 2 or 4 aligned registers read, by the Width modifier
  SrcPred,        ///< predicate read, perhaps negated
  ConstData,      ///< constant of 1, 2 or 4 words, by the Width modifier
  GlobalAddress,  ///< [R2.64+0x10]: aligned register pair and offset
  SharedAddress,  ///< [R2+0x10] or [symbol]: register and offset
  Immediate,      ///< unsigned number
  Target,         ///< label
  Special,        ///< special register
};

inline constexpr std::size_t kMaxOperands = 6;

/// The row of an opcode.
struct OpcodeInfo {
  std::string_view mnemonic;
  Action action;
  TimingClass timing_class;
  NumberType number_type;
  std::array<OperandRole, kMaxOperands> operands;
  std::uint8_t operand_count;
  std::array<ModifierGroup, kModifierGroups> modifiers;  ///< In the order they are printed.
  std::array<bool, kModifierGroups> modifier_required;   ///< Beside `modifiers`.
  std::uint8_t modifier_count;
  std::string_view summary;
};

const OpcodeInfo& info(Opcode opcode);

/// The longest mnemonic of the table that `text` starts with, up to its end or a dot: IMAD.WIDE.U32 finds
/// IMAD.WIDE. Nothing if no row fits.
std::optional<Opcode> find_opcode(std::string_view text);

}  // namespace heddle::ir
