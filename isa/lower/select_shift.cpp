// Shifts.
#include "isa/lower/kinds.h"
#include "isa/lower/select.h"
#include "isa/lower/shifts.h"

namespace heddle::lower {

namespace {

using ir::Opcode;
using ptx::Modifier;

}  // namespace

void select_shift(Selection& s, const ptx::Instruction& instruction) {
  const auto& operands = instruction.operands;
  const Modifier type = instruction.type();
  const bool goes_left = instruction.opcode == ptx::Opcode::Shl;
  const Operand amount = s.source(operands[2]);
  if (bits_of(type) == 64) {
    const Words to = s.word_results(operands[0]);
    if (goes_left) return shift_left(s.builder, to, s.words(operands[1]), amount);
    return shift_right(s.builder, to, s.words(operands[1]), amount, is_signed(type));
  }
  const Operand to = s.result(operands[0]);
  if (goes_left) {
    s.emit(Opcode::Shf, {to, s.builder.in_register(s.source(operands[1])), amount, zero()},
           {ir::Modifier::ShiftDirectionLeft, ir::Modifier::ShiftTypeU32});
    return;
  }
  s.emit(Opcode::Shf,
         {to, zero(), amount, s.builder.in_register(s.extended(operands[1], bits_of(type), is_signed(type)))},
         {ir::Modifier::ShiftDirectionRight,
          is_signed(type) ? ir::Modifier::ShiftTypeS32 : ir::Modifier::ShiftTypeU32, ir::Modifier::HalfHigh});
  if (bits_of(type) < 32) s.note_extension(operands[0], is_signed(type));
}

void select_funnel_shift(Selection& s, const ptx::Instruction& instruction) {
  const auto& operands = instruction.operands;
  const bool goes_left = instruction.has(Modifier::L);
  s.emit(Opcode::Shf,
         {s.result(operands[0]), s.builder.in_register(s.source(operands[1])), s.source(operands[3]),
          s.builder.in_register(s.source(operands[2]))},
         {goes_left ? ir::Modifier::ShiftDirectionLeft : ir::Modifier::ShiftDirectionRight,
          instruction.has(Modifier::Wrap) ? ir::Modifier::ShiftFieldWrap : ir::Modifier::ShiftFieldClamp,
          ir::Modifier::ShiftTypeU32, goes_left ? ir::Modifier::HalfHigh : ir::Modifier::HalfLow});
}

}  // namespace heddle::lower
