// Parses the operands of an instruction by their roles in the instruction table.
#pragma once

#include "isa/ir/operand_rules.h"
#include "isa/text/kernel_draft.h"
#include "isa/text/operand_place.h"
#include "isa/text/statement_reader.h"

namespace heddle::text {

/// Reads the operands of one instruction.
class OperandReader {
 public:
  /// The opcode and modifiers of the instruction must be set before; they decide how wide operands are.
  OperandReader(StatementReader& reader, KernelDraft& draft, const ir::Instruction& instruction)
      : reader_(reader), draft_(draft), instruction_(instruction), row_(ir::info(instruction.opcode)) {}

  /// Reads the operand at this position of the row. Throws Mistake.
  ir::Operand read(unsigned place);

  /// The position of the operand that was read last.
  [[nodiscard]] const OperandPlace& where() const { return where_; }

 private:
  [[nodiscard]] bool may_be_reused() const;
  ir::Operand read_register();
  ir::RegisterPart read_part_behind();
  ir::RegisterPart take_part(Token& name) const;
  void drop_layout(Token& name) const;
  ir::Operand read_number_source();
  ir::Operand read_plain_source();
  ir::Operand read_uniform();
  ir::Operand read_sums();
  ir::Operand read_sized_constant();
  ir::Operand read_immediate();
  ir::Operand read_number_or_register();
  ir::Operand read_return_register();
  ir::Operand read_jump_register();
  ir::Operand read_between_brackets();
  bool take_reuse();
  [[nodiscard]] bool label_follows() const;
  [[nodiscard]] bool uniform_follows() const;

  void check_sign(const Token& at, const ir::Operand& source) const;
  [[nodiscard]] bool constant_follows() const { return reader_.peek().text == "c"; }

  StatementReader& reader_;
  KernelDraft& draft_;
  const ir::Instruction& instruction_;
  const ir::OpcodeInfo& row_;
  ir::OperandRole role_ = ir::OperandRole::SrcReg;
  unsigned place_ = 0;
  OperandPlace where_;
  bool is_reused_ = false;  // .H0_H0.reuse or .reuse.H0_H0 behind bars
};

}  // namespace heddle::text
