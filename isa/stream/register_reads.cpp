#include "isa/stream/register_reads.h"

namespace heddle::stream {

namespace {

bool is_number(ir::OperandRole role) {
  switch (role) {
    case ir::OperandRole::SrcReg:
    case ir::OperandRole::Src:
    case ir::OperandRole::SrcPair:
    case ir::OperandRole::SrcWide:
    case ir::OperandRole::SrcQuad:
    case ir::OperandRole::SrcPairReg:
      return true;
    default:
      return false;
  }
}

bool has_fixed_latency(const ir::OpcodeInfo& row) {
  return ir::info(row.timing_class).waiter_stall == ir::StallReason::Wait;
}

}  // namespace

RegisterReads register_reads(const ir::Instruction& instruction) {
  const ir::OpcodeInfo& row = ir::info(instruction.opcode);
  if (!has_fixed_latency(row)) return {};
  RegisterReads reads;
  unsigned place = 0;
  for (unsigned i = 0; i < row.operand_count && place < RegisterReads::kOperands; ++i) {
    const ir::OperandRole role = row.operands[i];
    if (!is_number(role)) continue;
    if (ir::operand_width(instruction, role) != 1) return {};
    const ir::Operand& operand = instruction.operands[i];
    if (operand.kind == ir::Operand::Kind::Register) {
      reads.registers[place] = operand.index;
      reads.kept = static_cast<std::uint8_t>(reads.kept | (operand.reuse ? 1U << place : 0U));
      reads.is_timed = reads.is_timed || operand.index != ir::kRegisterZero;
    }
    ++place;
  }
  return reads;
}

}  // namespace heddle::stream
