#include "isa/lower/provenance.h"

#include "isa/lower/values.h"

namespace heddle::lower {

namespace {

using ptx::Modifier;
using ptx::Opcode;

Spaces space_named(const ptx::Instruction& instruction) {
  const bool is_shared = instruction.has(Modifier::Shared) || instruction.has(Modifier::SharedCta) ||
                         instruction.has(Modifier::SharedCluster);
  if (is_shared) return {false, true, false};
  if (instruction.has(Modifier::Local)) return {false, false, true};
  if (instruction.has(Modifier::Const)) return {false, false, false, true};
  if (instruction.has(Modifier::Param) || instruction.has(Modifier::ParamEntry))
    return {false, false, false, false, true};
  return {true, false, false};
}

bool makes_generic(const ptx::Instruction& instruction) {
  return instruction.opcode == Opcode::Cvta && !instruction.has(Modifier::To);
}

bool computes(Opcode opcode) {
  switch (opcode) {
    case Opcode::Mov:
    case Opcode::Add:
    case Opcode::Sub:
    case Opcode::Mad:
    case Opcode::Selp:
    case Opcode::Slct:
    case Opcode::And:
    case Opcode::Or:
    case Opcode::Xor:
    case Opcode::Min:
    case Opcode::Max:
    case Opcode::Lop3:
    case Opcode::Prmt:
    case Opcode::Bfi:
    case Opcode::Shfl:
    case Opcode::Shl:
    case Opcode::Shr:
    case Opcode::Shf:
    case Opcode::Addc:
    case Opcode::Subc:
    case Opcode::Madc:
    case Opcode::Cvt:
      return true;
    default:
      return false;
  }
}

}  // namespace

Provenance::Provenance(const ptx::Function& function)
    : anything_{true, false, false}, spaces_(function.registers.size()) {
  for (const ptx::Instruction& instruction : function.body) {
    if (makes_generic(instruction)) anything_ |= space_named(instruction);
  }
  for (bool changes = true; changes;) {
    changes = false;
    for (const ptx::Instruction& instruction : function.body) {
      const Spaces made = made_by(instruction);
      for (const std::size_t place : written_operands(instruction)) {
        each_register(instruction.operands[place], [&](std::uint32_t reg) {
          const Spaces before = spaces_[reg];
          spaces_[reg] |= made;
          changes |= !(spaces_[reg] == before);
        });
      }
    }
  }
}

Spaces Provenance::made_by(const ptx::Instruction& instruction) const {
  if (instruction.opcode == Opcode::Cvta) return space_named(instruction);
  if (!computes(instruction.opcode)) return anything_;
  Spaces made;
  for (std::size_t i = 1; i < instruction.operands.size(); ++i) made |= of(instruction.operands[i]);
  return made;
}

Spaces Provenance::of(const ptx::Operand& operand) const {
  Spaces made;
  each_register(operand, [&](std::uint32_t reg) { made |= spaces_[reg]; });
  return made;
}

}  // namespace heddle::lower
