#include "isa/stream/register_reads.h"

#include <algorithm>

namespace heddle::stream {

namespace {

bool is_number(ir::OperandRole role) {
  switch (role) {
    case ir::OperandRole::SrcReg:
    case ir::OperandRole::Src:
    case ir::OperandRole::SrcPair:
    case ir::OperandRole::SrcWide:
    case ir::OperandRole::SrcQuad:
    case ir::OperandRole::SrcOct:
    case ir::OperandRole::SrcSixteen:
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

bool has_timed_reads(const ir::Instruction& instruction) {
  const ir::OpcodeInfo& row = ir::info(instruction.opcode);
  if (!has_fixed_latency(row)) return false;
  const auto is_single = [&](ir::OperandRole role) {
    return !is_number(role) || ir::operand_width(instruction, role) == 1;
  };
  return std::all_of(row.operands.begin(), row.operands.begin() + row.operand_count, is_single);
}

RegisterReads register_reads(const ir::Instruction& instruction) {
  if (!has_timed_reads(instruction)) return {};
  const ir::OpcodeInfo& row = ir::info(instruction.opcode);
  RegisterReads reads;
  unsigned place = 0;
  for (unsigned i = 0; i < row.operand_count && place < RegisterReads::kOperands; ++i) {
    if (!is_number(row.operands[i])) continue;
    const ir::Operand& operand = instruction.operands[i];
    if (operand.kind == ir::Operand::Kind::Register) {
      reads.registers[place] = static_cast<std::uint8_t>(operand.index);
      reads.kept = static_cast<std::uint8_t>(reads.kept | (operand.reuse ? 1U << place : 0U));
      reads.is_timed = reads.is_timed || operand.index != ir::kRegisterZero;
    }
    ++place;
  }
  return reads;
}

RegisterReads kept_for(RegisterReads reads, const RegisterReads& next) {
  for (unsigned i = 0; i < RegisterReads::kOperands; ++i) {
    const bool is_same = reads.registers[i] == next.registers[i];
    reads.kept = static_cast<std::uint8_t>(reads.kept | (is_same ? 1U << i : 0U));
  }
  return reads;
}

}  // namespace heddle::stream
