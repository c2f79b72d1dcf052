#include "isa/lower/shifts.h"

namespace heddle::lower {

namespace {

using ir::Modifier;
using ir::Opcode;

}  // namespace

void shift_left(Builder& builder, const Words& to, const Words& value, const Operand& amount) {
  if (is_number(amount) && amount.value >= 32) {
    builder.emit(Opcode::Shf, {to.high, builder.in_register(value.low), number(amount.value - 32), zero()},
                 {Modifier::ShiftDirectionLeft, Modifier::ShiftTypeU32});
    return builder.move(to.low.index, zero());
  }
  const Operand low = builder.in_register(value.low);
  const Operand high = reg(builder.fresh());
  builder.emit(Opcode::Shf, {high, low, amount, builder.in_register(value.high)},
               {Modifier::ShiftDirectionLeft, Modifier::ShiftTypeU64, Modifier::HalfHigh});
  builder.emit(Opcode::Shf, {to.low, low, amount, zero()},
               {Modifier::ShiftDirectionLeft, Modifier::ShiftTypeU32});
  builder.move(to.high.index, high);
}

void shift_right(Builder& builder, const Words& to, const Words& value, const Operand& amount,
                 bool is_signed) {
  const Modifier word = is_signed ? Modifier::ShiftTypeS32 : Modifier::ShiftTypeU32;
  const Operand high = builder.in_register(value.high);
  if (is_number(amount) && amount.value >= 32) {
    builder.emit(Opcode::Shf, {to.low, zero(), number(amount.value - 32), high},
                 {Modifier::ShiftDirectionRight, word, Modifier::HalfHigh});
    if (!is_signed) return builder.move(to.high.index, zero());
    builder.emit(Opcode::Shf, {to.high, zero(), number(31), high},
                 {Modifier::ShiftDirectionRight, word, Modifier::HalfHigh});
    return;
  }
  const Operand low = reg(builder.fresh());
  builder.emit(Opcode::Shf, {low, builder.in_register(value.low), amount, high},
               {Modifier::ShiftDirectionRight, is_signed ? Modifier::ShiftTypeS64 : Modifier::ShiftTypeU64});
  builder.emit(Opcode::Shf, {to.high, zero(), amount, high},
               {Modifier::ShiftDirectionRight, word, Modifier::HalfHigh});
  builder.move(to.low.index, low);
}

}  // namespace heddle::lower
