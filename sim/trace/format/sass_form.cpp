#include "sim/trace/format/sass_form.h"

#include "isa/text/disassemble.h"

namespace heddle::trace {

namespace {

/// "@!P0 LDG.E.64 R2, [R4.64]" has the opcode LDG.E.64.
std::string opcode_text(const ir::Kernel& kernel, Pc pc) {
  std::string text = text::disassemble(kernel, pc);
  if (text.starts_with('@')) text.erase(0, text.find(' ') + 1);
  return text.substr(0, text.find(' '));
}

bool names_register(const ir::Operand& operand) {
  return operand.kind == ir::Operand::Kind::Register || operand.kind == ir::Operand::Kind::Address ||
         operand.kind == ir::Operand::Kind::IndexedConstant;
}

/// The trace shows RZ for an operand that may be left out. It has one destination: of a texture fetch, that of the
/// first channels.
bool is_left_out(ir::OperandRole role, const ir::Operand& operand) {
  if (role == ir::OperandRole::DstMoreTexels) return true;
  return ir::is_optional(role) && operand.index == ir::kRegisterZero;
}

void add_register(TraceInstruction& instruction, ir::OperandRole role, const ir::Operand& operand) {
  const TraceRegister reg{RegisterFile::General, static_cast<std::uint8_t>(operand.index)};
  if (ir::is_written_register(role) && !instruction.has_destination) {
    instruction.has_destination = true;
    instruction.destination = reg;
  } else if (!ir::is_written_register(role) && instruction.sources < kMostSources) {
    instruction.source[instruction.sources++] = reg;
  }
}

}  // namespace

SassForm sass_form(const ir::Kernel& kernel, Pc pc) {
  const ir::Instruction& from = kernel.instructions[pc];
  const ir::OpcodeInfo& row = ir::info(from.opcode);
  SassForm form;
  form.instruction.index = pc;
  form.instruction.pc = pc * ir::kInstructionBytes;
  form.instruction.source_line = from.line;
  form.instruction.opcode = opcode_text(kernel, pc);
  for (unsigned i = 0; i < row.operand_count; ++i) {
    const ir::Operand& operand = from.operands[i];
    const ir::OperandRole role = row.operands[i];
    if (role == ir::OperandRole::OptGroup && operand.kind == ir::Operand::Kind::GroupScoreboard)
      form.instruction.closes_group = true;
    if (operand.kind == ir::Operand::Kind::Immediate)
      form.immediate = static_cast<std::int64_t>(operand.value);
    if (names_register(operand) && !is_left_out(role, operand)) add_register(form.instruction, role, operand);
  }
  return form;
}

}  // namespace heddle::trace
