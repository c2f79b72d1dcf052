#include "isa/lower/order_marks.h"

#include "isa/lower/edit.h"

namespace heddle::lower {

namespace {

/// Only accesses of global memory are .STRONG on a GPU.
bool has_no_strength(ir::Opcode opcode) {
  switch (opcode) {
    case ir::Opcode::Lds:
    case ir::Opcode::Sts:
    case ir::Opcode::Ldl:
    case ir::Opcode::Stl:
      return true;
    default:
      return false;
  }
}

}  // namespace

void emit_order_mark(Builder& builder) { builder.emit(ir::Opcode::Nop, {}); }

bool is_order_mark(const ir::Instruction& instruction) { return instruction.opcode == ir::Opcode::Nop; }

bool is_strong(const ir::Instruction& instruction) {
  return ir::info(instruction.opcode).action == ir::Action::Atomic ||
         instruction.modifiers.has(ir::Modifier::StrengthStrong);
}

void remove_order_marks(ir::Kernel& kernel) {
  KernelEdit edit(kernel);
  for (Pc pc = 0; pc < kernel.instructions.size(); ++pc) {
    ir::Instruction& instruction = kernel.instructions[pc];
    if (is_order_mark(instruction)) {
      edit.remove(pc);
    } else if (has_no_strength(instruction.opcode)) {
      instruction.modifiers.set(ir::default_modifier(ir::ModifierGroup::Strength));
    }
  }
  edit.apply();
}

}  // namespace heddle::lower
