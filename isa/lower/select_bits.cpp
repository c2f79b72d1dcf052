// Counting, finding, moving and cutting out bits.
#include <algorithm>

#include "isa/lower/kinds.h"
#include "isa/lower/select.h"
#include "isa/lower/shifts.h"
#include "isa/lower/wide_sums.h"

namespace heddle::lower {

namespace {

using ir::Opcode;
using ptx::Modifier;

Operand is_not_zero(Selection& s, const Operand& value) {
  const Operand made = pred(s.builder.fresh_predicate());
  s.emit(Opcode::Isetp, {made, always(), value, zero(), always(), never()},
         {ir::Modifier::CompareNe, ir::Modifier::IntTypeU32, ir::Modifier::BoolAnd});
  return made;
}

/// The place of the highest one of a word, -1 if there is none.
Operand highest_one(Selection& s, const Operand& word) {
  const Operand made = reg(s.builder.fresh());
  s.emit(Opcode::Flo, {made, word}, {ir::Modifier::IntTypeU32});
  return made;
}

/// The same of two words.
Operand highest_one(Selection& s, const Words& value) {
  const Operand high = highest_one(s, value.high);
  const Operand low = highest_one(s, value.low);
  const Operand raised = reg(s.builder.fresh());
  const Operand made = reg(s.builder.fresh());
  s.emit(Opcode::Iadd3, {raised, always(), always(), high, number(32), zero()});
  s.emit(Opcode::Sel, {made, raised, low, is_not_zero(s, value.high)});
  return made;
}

/// Where bits lie: PTX takes the lowest eight of the operand.
Operand byte_of(Selection& s, const ptx::Operand& operand) {
  if (const auto value = number_of(operand, 8)) return number(*value);
  const Operand made = reg(s.builder.fresh());
  s.emit(
      Opcode::Lop3,
      {always(), made, s.builder.in_register(s.source(operand)), number(0xff), zero(), number(0xc0), never()},
      {ir::Modifier::LutLut});
  return made;
}

/// 64 less so many, but not below 0.
Operand rest_of_64(Selection& s, const Operand& length) {
  if (is_number(length)) return number(length.value >= 64 ? 0 : 64 - length.value);
  const Operand rest = reg(s.builder.fresh());
  const Operand made = reg(s.builder.fresh());
  s.emit(Opcode::Iadd3, {rest, always(), always(), negative(length), number(64), zero()});
  const Operand fits = pred(s.builder.fresh_predicate());
  s.emit(Opcode::Isetp, {fits, always(), rest, zero(), always(), never()},
         {ir::Modifier::CompareGt, ir::Modifier::IntTypeS32, ir::Modifier::BoolAnd});
  s.emit(Opcode::Sel, {made, rest, zero(), fits});
  return made;
}

Words fresh_words(Selection& s) {
  const ir::RegisterIndex first = s.builder.fresh(2);
  return {reg(first), reg(first + 1)};
}

/// Whether numbers of bits beyond 31 are what they are, or taken modulo 32.
ir::Modifier field_limit(const ptx::Instruction& instruction) {
  if (instruction.has(Modifier::Wrap)) return ir::Modifier::FieldWrap;
  if (!instruction.has(Modifier::Clamp)) Selection::refuse(instruction, "it has no mode");
  return ir::Modifier::FieldClamp;
}

void extract_64(Selection& s, const ptx::Instruction& instruction) {
  const auto& operands = instruction.operands;
  const bool has_sign = is_signed(instruction.type());
  const Operand position = byte_of(s, operands[2]);
  const Operand rest = rest_of_64(s, byte_of(s, operands[3]));
  const Words moved = fresh_words(s);
  const Words cut = fresh_words(s);
  shift_right(s.builder, moved, s.words(operands[1]), position, has_sign);
  shift_left(s.builder, cut, moved, rest);
  shift_right(s.builder, s.word_results(operands[0]), cut, rest, has_sign);
}

void insert_64(Selection& s, const ptx::Instruction& instruction) {
  const auto& operands = instruction.operands;
  const Operand position = byte_of(s, operands[3]);
  const Operand rest = rest_of_64(s, byte_of(s, operands[4]));
  const Words ones = fresh_words(s);
  const Words mask = fresh_words(s);
  const Words field = fresh_words(s);
  const Words to = s.word_results(operands[0]);
  const Words into = s.words(operands[2]);
  shift_right(s.builder, ones, {number(0xffffffff), number(0xffffffff)}, rest, false);
  shift_left(s.builder, mask, ones, position);
  shift_left(s.builder, field, s.words(operands[1]), position);
  constexpr unsigned kChoose = 0xe2;  // (a & b) | (c & ~b)
  s.emit(Opcode::Lop3, {always(), to.low, field.low, mask.low, into.low, number(kChoose), never()},
         {ir::Modifier::LutLut});
  s.emit(Opcode::Lop3, {always(), to.high, field.high, mask.high, into.high, number(kChoose), never()},
         {ir::Modifier::LutLut});
}

ir::Modifier permute_mode(const ptx::Instruction& instruction) {
  if (instruction.has(Modifier::F4e)) return ir::Modifier::PermuteModeF4e;
  if (instruction.has(Modifier::B4e)) return ir::Modifier::PermuteModeB4e;
  if (instruction.has(Modifier::Rc8)) return ir::Modifier::PermuteModeRc8;
  if (instruction.has(Modifier::Ecl)) return ir::Modifier::PermuteModeEcl;
  if (instruction.has(Modifier::Ecr)) return ir::Modifier::PermuteModeEcr;
  if (instruction.has(Modifier::Rc16)) return ir::Modifier::PermuteModeRc16;
  return ir::Modifier::PermuteModeAny;
}

}  // namespace

void select_popc(Selection& s, const ptx::Instruction& instruction) {
  const Operand to = s.result(instruction.operands[0]);
  if (bits_of(instruction.type()) == 32) {
    s.emit(Opcode::Popc, {to, s.source(instruction.operands[1])});
    return;
  }
  const Words value = s.words(instruction.operands[1]);
  const Operand low = reg(s.builder.fresh());
  const Operand high = reg(s.builder.fresh());
  s.emit(Opcode::Popc, {low, value.low});
  s.emit(Opcode::Popc, {high, value.high});
  s.emit(Opcode::Iadd3, {to, always(), always(), low, high, zero()});
}

void select_clz(Selection& s, const ptx::Instruction& instruction) {
  const bool is_wide = bits_of(instruction.type()) == 64;
  const Operand place = is_wide ? highest_one(s, s.words(instruction.operands[1]))
                                : highest_one(s, s.source(instruction.operands[1]));
  s.emit(Opcode::Iadd3, {s.result(instruction.operands[0]), always(), always(), negative(place),
                         number(is_wide ? 63 : 31), zero()});
}

void select_bfind(Selection& s, const ptx::Instruction& instruction) {
  const Modifier type = instruction.type();
  const Operand to = s.result(instruction.operands[0]);
  const bool wants_shift = instruction.has(Modifier::Shiftamt);
  if (bits_of(type) == 32) {
    s.emit(Opcode::Flo, {to, s.source(instruction.operands[1])},
           {int_type(type), wants_shift ? ir::Modifier::FindFormShift : ir::Modifier::FindFormPlace});
    return;
  }
  Words value = s.words(instruction.operands[1]);
  if (is_signed(type)) {
    const Operand sign = reg(s.builder.fresh());
    const Words flipped = fresh_words(s);
    s.emit(Opcode::Shf, {sign, zero(), number(31), s.builder.in_register(value.high)},
           {ir::Modifier::ShiftDirectionRight, ir::Modifier::ShiftTypeS32, ir::Modifier::HalfHigh});
    s.emit(Opcode::Lop3, {always(), flipped.low, sign, value.low, zero(), number(0x3c), never()},
           {ir::Modifier::LutLut});
    s.emit(Opcode::Lop3, {always(), flipped.high, sign, value.high, zero(), number(0x3c), never()},
           {ir::Modifier::LutLut});
    value = flipped;
  }
  const Operand place = highest_one(s, value);
  if (!wants_shift) return s.builder.move(to.index, place);
  // 63 less the place; of none it stays -1
  const Operand shift = reg(s.builder.fresh());
  const Operand is_there = pred(s.builder.fresh_predicate());
  s.emit(Opcode::Iadd3, {shift, always(), always(), negative(place), number(63), zero()});
  s.emit(Opcode::Isetp, {is_there, always(), place, zero(), always(), never()},
         {ir::Modifier::CompareGe, ir::Modifier::IntTypeS32, ir::Modifier::BoolAnd});
  s.emit(Opcode::Sel, {to, shift, place, is_there});
}

void select_brev(Selection& s, const ptx::Instruction& instruction) {
  if (bits_of(instruction.type()) == 32) {
    s.emit(Opcode::Brev, {s.result(instruction.operands[0]), s.source(instruction.operands[1])});
    return;
  }
  const Words to = s.word_results(instruction.operands[0]);
  const Words value = s.words(instruction.operands[1]);
  const Operand low = reg(s.builder.fresh());
  s.emit(Opcode::Brev, {low, value.high});
  s.emit(Opcode::Brev, {to.high, value.low});
  s.builder.move(to.low.index, low);
}

void select_bfe(Selection& s, const ptx::Instruction& instruction) {
  const Modifier type = instruction.type();
  if (bits_of(type) == 64) return extract_64(s, instruction);
  const auto& operands = instruction.operands;
  const Operand moved = reg(s.builder.fresh());
  s.emit(Opcode::Shf, {moved, zero(), byte_of(s, operands[2]), s.builder.in_register(s.source(operands[1]))},
         {ir::Modifier::ShiftDirectionRight,
          is_signed(type) ? ir::Modifier::ShiftTypeS32 : ir::Modifier::ShiftTypeU32, ir::Modifier::HalfHigh});
  s.emit(Opcode::Sgxt, {s.result(operands[0]), moved, byte_of(s, operands[3])}, {int_type(type)});
}

void select_bfi(Selection& s, const ptx::Instruction& instruction) {
  if (bits_of(instruction.type()) == 64) return insert_64(s, instruction);
  const auto& operands = instruction.operands;
  const Operand position = byte_of(s, operands[3]);
  const Operand mask = reg(s.builder.fresh());
  const Operand field = reg(s.builder.fresh());
  s.emit(Opcode::Bmsk, {mask, position, byte_of(s, operands[4])});
  s.emit(Opcode::Shf, {field, s.builder.in_register(s.source(operands[1])), position, zero()},
         {ir::Modifier::ShiftDirectionLeft, ir::Modifier::ShiftTypeU32});
  s.emit(Opcode::Lop3,
         {always(), s.result(operands[0]), field, mask, s.source(operands[2]), number(0xe2), never()},
         {ir::Modifier::LutLut});
}

void select_prmt(Selection& s, const ptx::Instruction& instruction) {
  const auto& operands = instruction.operands;
  s.emit(Opcode::Prmt,
         {s.result(operands[0]), s.source(operands[1]), s.source(operands[3]), s.source(operands[2])},
         {permute_mode(instruction)});
}

void select_bmsk(Selection& s, const ptx::Instruction& instruction) {
  const auto& operands = instruction.operands;
  s.emit(Opcode::Bmsk,
         {s.result(operands[0]), s.builder.in_register(s.source(operands[1])), s.source(operands[2])},
         {field_limit(instruction)});
}

void select_szext(Selection& s, const ptx::Instruction& instruction) {
  const auto& operands = instruction.operands;
  s.emit(Opcode::Sgxt,
         {s.result(operands[0]), s.builder.in_register(s.source(operands[1])), s.source(operands[2])},
         {field_limit(instruction), int_type(instruction.type())});
}

/// Of whole words of unsigned bytes, as GPUs have an instruction for.
void select_vabsdiff4(Selection& s, const ptx::Instruction& instruction) {
  const auto& operands = instruction.operands;
  for (std::size_t i = 0; i < 3; ++i) {
    if (instruction.type(i) != Modifier::U32) Selection::refuse(instruction);
  }
  const bool has_parts = std::any_of(operands.begin(), operands.end(), [](const ptx::Operand& operand) {
    return operand.selector.unit != 0 || operand.negated;
  });
  if (has_parts || instruction.has(Modifier::Sat) || operands.size() != 4) Selection::refuse(instruction);
  const bool adds = instruction.has(Modifier::Add);
  s.emit(adds ? Opcode::Vabsdiff4Acc : Opcode::Vabsdiff4,
         {s.result(operands[0]), s.builder.in_register(s.source(operands[1])), s.source(operands[2]),
          adds ? s.source(operands[3]) : zero()});
}

}  // namespace heddle::lower
