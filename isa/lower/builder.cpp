#include "isa/lower/builder.h"

#include <algorithm>

namespace heddle::lower {

namespace {

using ir::OperandRole;

unsigned words_of(const ir::Instruction& instruction, OperandRole role) {
  return ir::operand_width(instruction, role);
}

bool is_source(OperandRole role) {
  return ir::is_read_register(role) && role != OperandRole::GlobalAddress &&
         role != OperandRole::SharedAddress && role != OperandRole::LocalAddress;
}

bool takes_constants(OperandRole role) {
  return role == OperandRole::Src || role == OperandRole::SrcPair || role == OperandRole::SrcWide;
}

bool takes_numbers(OperandRole role) {
  return ir::info(role).access == ir::RegisterAccess::MayRead && role != OperandRole::SrcPair;
}

/// Whether a number there has a field of its own, 0 among them.
bool has_own_number(ir::Opcode opcode, OperandRole role) {
  return role == OperandRole::BarrierId || role == OperandRole::OptThreads ||
         (opcode == ir::Opcode::Shfl && role == OperandRole::Src);
}

}  // namespace

void Builder::append(const ir::Instruction& instruction) {
  kernel_.instructions.push_back(instruction);
  kernel_.instructions.back().line = line_;
  kernel_.sources.push_back(source_);
}

Pc Builder::emit(ir::Opcode opcode, std::initializer_list<Operand> operands,
                 std::initializer_list<ir::Modifier> modifiers) {
  ir::Instruction made;
  made.opcode = opcode;
  made.guard = guard_;
  for (const ir::Modifier modifier : modifiers) made.modifiers.set(modifier);
  std::copy(operands.begin(), operands.end(), made.operands.begin());
  make_valid(made);
  append(made);
  return here() - 1;
}

void Builder::make_valid(ir::Instruction& instruction) {
  const ir::OpcodeInfo& row = ir::info(instruction.opcode);
  unsigned others = 0;  // than registers: an instruction has room for one
  for (unsigned i = row.operand_count; i-- > 0;) {
    const OperandRole role = row.operands[i];
    Operand& operand = instruction.operands[i];
    if (!is_source(role) || is_register(operand)) continue;
    if (is_number(operand) && has_own_number(instruction.opcode, role)) continue;
    if (is_zero(operand)) {
      operand = zero();
      continue;
    }
    const bool is_constant = operand.kind == Operand::Kind::Constant;
    if (!is_constant && !is_number(operand)) continue;
    const bool may_stand = is_constant ? takes_constants(role) : takes_numbers(role);
    const bool is_long = words_of(instruction, role) == 2 && is_number(operand) &&
                         (row.number_type != ir::NumberType::Double || (operand.value & 0xffffffffU) != 0);
    if (may_stand && !is_long && others++ == 0) continue;
    operand = in_registers(operand, words_of(instruction, role));
  }
}

/// Pure, so that it need not stand under the guard.
ir::RegisterIndex Builder::hold(const Operand& value) {
  for (const Held& held : held_) {
    if (held.value == value) return held.at;
  }
  ir::Instruction move;
  move.opcode = ir::Opcode::Mov;
  const ir::RegisterIndex at = fresh();
  move.operands[0] = reg(at);
  move.operands[1] = value;
  append(move);
  held_.push_back({value, at});
  return at;
}

Operand Builder::in_register(const Operand& value) {
  if (is_register(value)) return value;
  if (is_zero(value)) return zero();
  Operand plain = value;
  plain.negated = plain.absolute = false;
  Operand made = reg(hold(plain));
  made.negated = value.negated;
  made.absolute = value.absolute;
  return made;
}

Operand Builder::in_pair(const Words& value) {
  if (is_zero(value.low) && is_zero(value.high)) return zero();
  const bool are_side_by_side =
      is_register(value.low) && is_register(value.high) && value.low.index != ir::kRegisterZero &&
      value.high.index == value.low.index + 1 && !value.low.negated && !value.high.negated;
  if (are_side_by_side) return value.low;
  const ir::RegisterIndex first = fresh(2);
  const ir::Guard kept = std::exchange(guard_, {});
  move(first, value.low);
  move(first + 1, value.high);
  guard_ = kept;
  return reg(first);
}

Operand Builder::in_registers(const Operand& value, unsigned words) {
  if (words == 1) return in_register(value);
  Words two{value, value};
  if (is_number(value)) {
    two = {number(value.value & 0xffffffffU), number(value.value >> 32)};
  } else {
    two.high.value += 4;
    two.low.negated = two.high.negated = two.low.absolute = two.high.absolute = false;
  }
  Operand made = in_pair(two);
  made.negated = value.negated;
  made.absolute = value.absolute;
  return made;
}

}  // namespace heddle::lower
