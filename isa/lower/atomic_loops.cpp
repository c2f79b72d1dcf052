#include "isa/lower/atomic_loops.h"

#include "isa/lower/warp_masks.h"
#include "isa/lower/wide_sums.h"

namespace heddle::lower {

namespace {

using ir::Modifier;
using ir::Opcode;

Modifier type_of(const Cell& cell) {
  return cell.is_wide ? Modifier::AtomicTypeU64 : Modifier::AtomicTypeU32;
}
Modifier width_of(const Cell& cell) { return cell.is_wide ? Modifier::WidthB64 : Modifier::WidthB32; }

Operand fresh(Selection& selection, const Cell& cell) {
  return reg(selection.builder.fresh(cell.is_wide ? 2 : 1));
}

/// Whether a and b differ.
void emit_test(Selection& selection, ir::RegisterIndex differ, const Operand& a, const Operand& b) {
  selection.emit(Opcode::Isetp, {pred(differ), always(), a, b, always(), never()},
                 {Modifier::CompareNe, Modifier::IntTypeU32, Modifier::BoolAnd});
}

/// Shared memory has an instruction that says whether it has stored.
Operand update_shared(Selection& selection, const Cell& cell, const Update& update) {
  const ir::RegisterIndex again = selection.builder.fresh_predicate();
  const Operand old = fresh(selection, cell);
  const Operand stored = fresh(selection, cell);
  const Pc loop = selection.builder.here();
  selection.emit(Opcode::Lds, {old, cell.address}, {width_of(cell)});
  const Operand value = update(old);
  selection.emit(Opcode::AtomsCast, {always(), stored, cell.address, old, value}, {type_of(cell)});
  emit_test(selection, again, stored, number(1));
  emit_loop_end(selection, loop, again);
  return old;
}

void emit_wide_test(Selection& selection, ir::RegisterIndex differ, const Operand& a, const Operand& b) {
  const ir::RegisterIndex low = selection.builder.fresh_predicate();
  emit_test(selection, low, a, b);
  selection.emit(Opcode::Isetp,
                 {pred(differ), always(), reg(a.index + 1), reg(b.index + 1), pred(low), never()},
                 {Modifier::CompareNe, Modifier::IntTypeU32, Modifier::BoolOr});
}

Operand update_global(Selection& selection, const Cell& cell, const Update& update) {
  const ir::RegisterIndex again = selection.builder.fresh_predicate();
  const Operand old = fresh(selection, cell);
  const Operand found = fresh(selection, cell);
  const Operand expected = fresh(selection, cell);
  const auto copy = [&](const Operand& to, const Operand& from) {
    selection.builder.move(to.index, from);
    if (cell.is_wide) selection.builder.move(to.index + 1, reg(from.index + 1));
  };
  selection.emit(Opcode::Ldg, {found, cell.address},
                 {Modifier::ExtendedE, width_of(cell), Modifier::StrengthStrong, cell.scope});
  const Pc loop = selection.builder.here();
  copy(expected, found);
  const Operand value = update(expected);
  selection.emit(Opcode::AtomgCas, {always(), found, cell.address, expected, value},
                 {type_of(cell), Modifier::StrengthStrong, cell.scope});
  if (cell.is_wide) {
    emit_wide_test(selection, again, found, expected);
  } else {
    emit_test(selection, again, found, expected);
  }
  emit_loop_end(selection, loop, again);
  copy(old, found);
  return old;
}

constexpr std::uint64_t kSelectTable = 0xe2;  // b ? a : c

}  // namespace

Operand emit_update_loop(Selection& selection, const Cell& cell, const Update& update) {
  return cell.is_shared ? update_shared(selection, cell, update) : update_global(selection, cell, update);
}

HalfCell half_cell(Selection& selection, const Operand& where, bool is_shared) {
  Builder& builder = selection.builder;
  const Operand offset = number(where.value & 0xffffffffU);
  const Operand high_offset = number(where.value >> 32);
  const bool is_wide = !is_shared;
  const Operand base = reg(where.index);
  const Operand high = base.index == ir::kRegisterZero ? zero() : reg(where.index + 1U);
  const Operand sum = reg(builder.fresh(is_wide ? 2 : 1));
  if (is_wide) {
    add_words(builder, {sum, reg(sum.index + 1)}, {base, high}, {offset, high_offset});
  } else {
    selection.emit(Opcode::Iadd3, {sum, always(), always(), base, offset, zero()});
  }
  const Operand word = reg(builder.fresh(is_wide ? 2 : 1));
  selection.emit(Opcode::Lop3, {always(), word, sum, number(0xfffffffc), zero(), number(0xc0), never()},
                 {Modifier::LutLut});
  if (is_wide) builder.move(word.index + 1, reg(sum.index + 1));
  const Operand bit = reg(builder.fresh());
  selection.emit(Opcode::Lop3, {always(), bit, sum, number(2), zero(), number(0xc0), never()},
                 {Modifier::LutLut});
  const Operand shift = reg(builder.fresh());
  selection.emit(Opcode::Shf, {shift, bit, number(3), zero()},
                 {Modifier::ShiftDirectionLeft, Modifier::ShiftTypeU32});
  return {address(word.index, 0), shift};
}

Operand extract_half(Selection& selection, const Operand& word, const HalfCell& cell) {
  const Operand half = reg(selection.builder.fresh());
  selection.emit(Opcode::Shf, {half, zero(), cell.shift, word},
                 {Modifier::ShiftDirectionRight, Modifier::ShiftTypeU32, Modifier::HalfHigh});
  return half;
}

Operand insert_half(Selection& selection, const Operand& word, const Operand& half, const HalfCell& cell) {
  const Operand mask = reg(selection.builder.fresh());
  const Operand moved = reg(selection.builder.fresh());
  const Operand value = reg(selection.builder.fresh());
  const auto shift_up = [&](const Operand& to, const Operand& from) {
    selection.emit(Opcode::Shf, {to, from, cell.shift, zero()},
                   {Modifier::ShiftDirectionLeft, Modifier::ShiftTypeU32});
  };
  shift_up(mask, selection.builder.in_register(number(0xffff)));
  shift_up(moved, half);
  selection.emit(Opcode::Lop3, {always(), value, moved, mask, word, number(kSelectTable), never()},
                 {Modifier::LutLut});
  return value;
}

}  // namespace heddle::lower
