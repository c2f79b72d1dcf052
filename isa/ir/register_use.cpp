#include "isa/ir/register_use.h"

namespace heddle::ir {

namespace {

void add_registers(SlotList& list, std::uint8_t first, unsigned width) {
  if (first == kRegisterZero) return;
  for (unsigned i = 0; i < width; ++i) list.add(static_cast<RegisterSlot>(kFirstRegister + first + i));
}

void add_predicate(SlotList& list, std::uint8_t predicate, RegisterSlot base) {
  if (predicate != kPredicateTrue) list.add(static_cast<RegisterSlot>(base + predicate));
}

bool is_destination(OperandRole role) {
  return role == OperandRole::DstReg || role == OperandRole::DstPair ||
         role == OperandRole::DstData || role == OperandRole::DstPred;
}

}  // namespace

unsigned operand_width(const Instruction& instruction, OperandRole role) {
  switch (role) {
    case OperandRole::DstPair:
    case OperandRole::SrcPair:
    case OperandRole::GlobalAddress:
      return 2;
    case OperandRole::DstData:
    case OperandRole::SrcData:
    case OperandRole::ConstData:
      return instruction.modifiers.has(Modifier::WidthB128)  ? 4
             : instruction.modifiers.has(Modifier::WidthB64) ? 2
                                                             : 1;
    default:
      return 1;
  }
}

RegisterUse register_use(const Instruction& instruction) {
  RegisterUse use;
  const OpcodeInfo& row = info(instruction.opcode);
  add_predicate(use.reads, instruction.guard.predicate, kGuardSlots);
  for (unsigned i = 0; i < row.operand_count; ++i) {
    const Operand& operand = instruction.operands[i];
    const OperandRole role = row.operands[i];
    SlotList& list = is_destination(role) ? use.writes : use.reads;
    switch (operand.kind) {
      case Operand::Kind::Register:
      case Operand::Kind::Address:
        add_registers(list, operand.index, operand_width(instruction, role));
        break;
      case Operand::Kind::Predicate:
        add_predicate(list, operand.index, kPredicateSlots);
        if (role == OperandRole::DstPred) add_predicate(list, operand.index, kGuardSlots);
        break;
      default:
        break;
    }
  }
  return use;
}

}  // namespace heddle::ir
