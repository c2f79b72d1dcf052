// One instruction of a PTX function.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "isa/ptx/modifier.h"
#include "isa/ptx/opcode.h"
#include "isa/ptx/operand.h"
#include "isa/ptx/place.h"

namespace heddle::ptx {

/// @p or @!p in front of an instruction.
struct Guard {
  std::uint32_t reg = kNone;  ///< In Function::registers; kNone if the instruction has no guard.
  bool negated = false;
};

/// An instruction with its operands in the order of the text.
///
/// A call always has three operands or four: the list of what it returns, the function (Symbol or Register),
/// the list of arguments, and for an indirect call its prototype or table of targets. Missing lists are
/// empty.
struct Instruction {
  Opcode opcode = Opcode::Unknown;
  ModifierList modifiers;
  MatrixShape shape;  ///< The dimensions, if it has Modifier::Shape.
  Guard guard;
  std::string_view mnemonic;  ///< As written: "ld.global.nc.v4.u32". A view of Module::text.
  std::vector<std::string_view> unknown_words;  ///< One for each Modifier::Unknown.
  std::vector<Operand> operands;
  Place place;
  std::uint32_t source = kNone;  ///< In Function::source_lines; kNone before the first .loc.

  [[nodiscard]] bool has(Modifier modifier) const { return modifiers.has(modifier); }
  [[nodiscard]] Modifier type(std::size_t n = 0) const { return modifiers.type(n); }
};

}  // namespace heddle::ptx
