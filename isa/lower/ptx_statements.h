// Makes PTX instructions, for what lowering adds to a function before instructions are selected.
#pragma once

#include "isa/ptx/function.h"

namespace heddle::lower {

ptx::Operand register_operand(std::uint32_t reg);
ptx::Operand number_operand(std::uint64_t bits);
ptx::Operand symbol_operand(const ptx::SymbolRef& symbol);
/// [symbol + offset], and [reg + offset].
ptx::Operand address_operand(const ptx::SymbolRef& symbol, std::uint64_t offset = 0);
ptx::Operand address_operand(std::uint32_t reg, std::uint64_t offset);
ptx::Operand label_operand(std::uint32_t index);

/// A new register of the function; its number.
std::uint32_t add_register(ptx::Function& function, const std::string& name, ptx::Modifier type);

/// The type without sign or number of so many bits, from 8 to 64.
ptx::Modifier bits_type(unsigned bits);
/// The type that mov has for values of a type: it has none of 8 bits, and none of halves.
ptx::Modifier move_type(ptx::Modifier type);

/// Makes instructions that stand where another one does: messages, lines and names are that one's.
class Statements {
 public:
  explicit Statements(const ptx::Instruction& like) : like_(like) {}

  [[nodiscard]] ptx::Instruction make(ptx::Opcode opcode, std::initializer_list<ptx::Modifier> modifiers,
                                      std::vector<ptx::Operand> operands) const;
  /// mov.TYPE to, from;
  [[nodiscard]] ptx::Instruction move(ptx::Modifier type, ptx::Operand to, ptx::Operand from) const {
    return make(ptx::Opcode::Mov, {type}, {std::move(to), std::move(from)});
  }
  /// ld.SPACE.TYPE data, address; and st.SPACE.TYPE address, data;
  [[nodiscard]] ptx::Instruction load(ptx::Modifier space, ptx::Modifier type, ptx::Operand data,
                                      ptx::Operand address) const {
    return make(ptx::Opcode::Ld, {space, type}, {std::move(data), std::move(address)});
  }
  [[nodiscard]] ptx::Instruction store(ptx::Modifier space, ptx::Modifier type, ptx::Operand address,
                                       ptx::Operand data) const {
    return make(ptx::Opcode::St, {space, type}, {std::move(address), std::move(data)});
  }
  /// bra index; under the guard.
  [[nodiscard]] ptx::Instruction jump(std::uint32_t index, ptx::Guard guard = {}) const;

 private:
  const ptx::Instruction& like_;
};

}  // namespace heddle::lower
