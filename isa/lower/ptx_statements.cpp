#include "isa/lower/ptx_statements.h"

namespace heddle::lower {

using ptx::Modifier;
using ptx::Operand;
using Kind = Operand::Kind;

Operand register_operand(std::uint32_t reg) {
  Operand made;
  made.kind = Kind::Register;
  made.reg = reg;
  return made;
}

Operand number_operand(std::uint64_t bits) {
  Operand made;
  made.kind = Kind::Integer;
  made.bits = bits;
  return made;
}

Operand symbol_operand(const ptx::SymbolRef& symbol) {
  Operand made;
  made.kind = Kind::Symbol;
  made.symbol = symbol;
  return made;
}

Operand address_operand(const ptx::SymbolRef& symbol, std::uint64_t offset) {
  Operand made = symbol_operand(symbol);
  made.kind = Kind::Address;
  made.bits = offset;
  return made;
}

Operand address_operand(std::uint32_t reg, std::uint64_t offset) {
  Operand made = register_operand(reg);
  made.kind = Kind::Address;
  made.bits = offset;
  return made;
}

Operand label_operand(std::uint32_t index) {
  Operand made;
  made.kind = Kind::Label;
  made.index = index;
  return made;
}

std::uint32_t add_register(ptx::Function& function, const std::string& name, Modifier type) {
  function.registers.push_back({name, type});
  return static_cast<std::uint32_t>(function.registers.size() - 1);
}

Modifier bits_type(unsigned bits) {
  return bits <= 8 ? Modifier::B8 : bits <= 16 ? Modifier::B16 : bits <= 32 ? Modifier::B32 : Modifier::B64;
}

Modifier move_type(Modifier type) {
  if (ptx::info(type).kind == ptx::TypeKind::Predicate) return type;
  const unsigned bits = ptx::info(type).bits;
  return bits <= 16 ? Modifier::B16 : bits <= 32 ? Modifier::B32 : Modifier::B64;
}

ptx::Instruction Statements::make(ptx::Opcode opcode, std::initializer_list<Modifier> modifiers,
                                  std::vector<Operand> operands) const {
  ptx::Instruction made;
  made.opcode = opcode;
  for (const Modifier one : modifiers) made.modifiers.add(one);
  made.mnemonic = like_.mnemonic;
  made.operands = std::move(operands);
  made.place = like_.place;
  made.source = like_.source;
  return made;
}

ptx::Instruction Statements::jump(std::uint32_t index, ptx::Guard guard) const {
  ptx::Instruction made = make(ptx::Opcode::Bra, {}, {label_operand(index)});
  made.guard = guard;
  return made;
}

}  // namespace heddle::lower
