#include "isa/lower/floats.h"

namespace heddle::lower {

namespace {

using ir::Opcode;
using ptx::Modifier;

std::uint64_t sign_bits(Modifier type) {
  switch (type) {
    case Modifier::F64:
      return std::uint64_t{1} << 63;
    case Modifier::F16:
    case Modifier::Bf16:
    case Modifier::F16x2:
    case Modifier::Bf16x2:
      return 0x80008000U;
    default:
      return kSignBit;
  }
}

/// neg or abs of the same type, whose operand is still there.
const ptx::Instruction* sign_change(Selection& s, const ptx::Operand& operand, const ptx::Instruction& reader,
                                    Modifier type) {
  const ptx::Instruction* made = s.maker(operand);
  if (made == nullptr || (made->opcode != ptx::Opcode::Neg && made->opcode != ptx::Opcode::Abs))
    return nullptr;
  if (made->type() != type || made->operands[1].kind != ptx::Operand::Kind::Register) return nullptr;
  const bool flushes = made->has(Modifier::Ftz) && !reader.has(Modifier::Ftz);
  const auto& definition = s.values[made->operands[1].reg];
  return !flushes && definition.is_single() ? made : nullptr;
}

Operand plain_source(Selection& s, const ptx::Operand& operand, Modifier type) {
  if (bits_of(type) == 64) return s.wide(operand);
  if (bits_of(type) == 32) return s.source(operand);
  if (operand.kind == ptx::Operand::Kind::Float) throw Refused("a number of 16 bits is written by its bits");
  if (const auto bits = number_of(operand, 16)) return number(*bits << 16 | *bits);
  return s.source(operand);
}

}  // namespace

Operand float_source(Selection& s, const ptx::Instruction& instruction, const ptx::Operand& operand,
                     Modifier type) {
  const ptx::Instruction* change = sign_change(s, operand, instruction, type);
  if (change == nullptr) return plain_source(s, operand, type);
  const Operand unchanged = float_source(s, instruction, change->operands[1], type);
  return change->opcode == ptx::Opcode::Neg ? flipped(unchanged, type) : magnitude(unchanged, type);
}

Operand flipped(const Operand& operand, Modifier type) {
  return is_number(operand) ? number(operand.value ^ sign_bits(type)) : negative(operand);
}

Operand magnitude(const Operand& operand, Modifier type) {
  if (is_number(operand)) return number(operand.value & ~sign_bits(type));
  Operand made = operand;
  made.negated = false;
  made.absolute = true;
  return made;
}

ir::Modifier float_rounding(const ptx::Instruction& instruction) {
  if (instruction.has(Modifier::Rz)) return ir::Modifier::FloatRoundingZero;
  if (instruction.has(Modifier::Rm)) return ir::Modifier::FloatRoundingDown;
  return instruction.has(Modifier::Rp) ? ir::Modifier::FloatRoundingUp : ir::Modifier::FloatRoundingNearest;
}

ir::Modifier flush(const ptx::Instruction& instruction) {
  return instruction.has(Modifier::Ftz) ? ir::Modifier::FlushFtz : ir::Modifier::FlushNone;
}

ir::Modifier saturation(const ptx::Instruction& instruction) {
  return instruction.has(Modifier::Sat) ? ir::Modifier::SaturateSat : ir::Modifier::SaturateNone;
}

void emit_where(Selection& s, const ptx::Instruction& instruction, const Operand& predicate,
                const std::function<void()>& append) {
  if (!s.is_guarded(instruction)) {
    s.builder.set_guard({predicate.index, predicate.negated});
    append();
    s.builder.set_guard({});
    return;
  }
  const ir::Guard outer{s.values[instruction.guard.reg].first, instruction.guard.negated};
  const ir::RegisterIndex both = s.builder.fresh_predicate();
  // The predicate is written only where the guard holds; elsewhere this one is false.
  const auto set = [&](const Operand& value) {
    s.emit(Opcode::Plop3, {pred(both), always(), value, always(), always(), number(0x80), number(0)},
           {ir::Modifier::LutLut});
  };
  s.builder.set_guard({});
  set(never());
  s.builder.set_guard(outer);
  set(predicate);
  s.builder.set_guard({both, false});
  append();
  s.builder.set_guard(outer);
}

Operand float_of_half(Selection& s, const Operand& value, Modifier type) {
  const Operand made = fresh(s);
  Operand half = s.builder.in_register(value);
  if (is_bfloat(type)) {
    s.emit(Opcode::Imad, {made, half, number(0x10000), zero()}, {ir::Modifier::IntTypeU32});
  } else {
    half.part = ir::RegisterPart::LowTwice;
    s.emit(Opcode::Hadd2F32, {made, minus_zero(), half});
  }
  return made;
}

void emit_logic(Selection& s, const Operand& result, const Operand& a, const Operand& b, const Operand& c,
                std::uint8_t table) {
  s.emit(Opcode::Lop3, {always(), result, a, b, c, number(table), never()}, {ir::Modifier::LutLut});
}

Operand compare_magnitude(Selection& s, const Operand& a, ir::Modifier compare, std::uint32_t with) {
  const Operand holds = pred(s.builder.fresh_predicate());
  s.emit(Opcode::Fsetp, {holds, always(), magnitude(a, Modifier::F32), number(with), always()},
         {compare, ir::Modifier::BoolAnd});
  return holds;
}

}  // namespace heddle::lower
