#include "isa/lower/moved_labels.h"

namespace heddle::lower {

void move_labels(ptx::Instruction& instruction, const Moved& moved) {
  for (ptx::Operand& operand : instruction.operands) {
    if (operand.kind == ptx::Operand::Kind::Label) operand.index = moved[operand.index];
  }
}

void move_tables(ptx::Function& function, std::size_t tables, std::size_t pragmas, const Moved& moved) {
  for (std::size_t i = 0; i < tables; ++i) {
    for (std::uint32_t& target : function.branch_tables[i].targets) target = moved[target];
  }
  for (std::size_t i = 0; i < pragmas; ++i) function.pragmas[i].index = moved[function.pragmas[i].index];
}

void move_labels(ptx::Function& function, const Moved& moved) {
  for (ptx::Instruction& instruction : function.body) move_labels(instruction, moved);
  move_tables(function, function.branch_tables.size(), function.pragmas.size(), moved);
}

}  // namespace heddle::lower
