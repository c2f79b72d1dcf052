// copysign and testp.
#include "isa/lower/floats.h"
#include "isa/lower/select.h"

namespace heddle::lower {

namespace {

using ir::Opcode;
using ptx::Modifier;

constexpr std::uint32_t kInfinity = 0x7f800000;
constexpr std::uint32_t kLeastNormal = 0x00800000;
constexpr std::uint64_t kInfinity64 = 0x7ff0000000000000;
constexpr std::uint64_t kLeastNormal64 = 0x0010000000000000;
constexpr std::uint8_t kChoice = 0xe2;  // the second operand's bits choose between the first and the third

/// Comparisons of the magnitude of one number, of 32 or 64 bits.
class Magnitude {
 public:
  Magnitude(Selection& selection, const ptx::Instruction& instruction)
      : s_(selection),
        is_wide_(instruction.type() == Modifier::F64),
        value_(is_wide_ ? s_.builder.in_pair(s_.words(instruction.operands[1]))
                        : s_.builder.in_register(s_.source(instruction.operands[1]))) {}

  void emit(const Operand& to, ir::Modifier compare, std::uint32_t with, std::uint64_t with_wide,
            ir::Modifier combine, const Operand& other) {
    const Operand of = magnitude(value_, is_wide_ ? Modifier::F64 : Modifier::F32);
    if (is_wide_) {
      s_.emit(Opcode::Dsetp, {to, always(), of, number(with_wide), other}, {compare, combine});
    } else {
      s_.emit(Opcode::Fsetp, {to, always(), of, number(with), other}, {compare, combine});
    }
  }

  Operand holds(ir::Modifier compare, std::uint32_t with, std::uint64_t with_wide) {
    const Operand to = pred(s_.builder.fresh_predicate());
    emit(to, compare, with, with_wide, ir::Modifier::BoolAnd, always());
    return to;
  }

 private:
  Selection& s_;
  bool is_wide_;
  Operand value_;
};

}  // namespace

void select_copysign(Selection& s, const ptx::Instruction& i) {
  if (i.type() == Modifier::F32) {
    const Operand a = s.builder.in_register(s.source(i.operands[1]));
    const Operand b = s.builder.in_register(s.source(i.operands[2]));
    return emit_logic(s, s.result(i.operands[0]), a, number(kSignBit), b, kChoice);
  }
  if (i.type() != Modifier::F64) Selection::refuse(i);
  const Words a = s.words(i.operands[1]);
  const Words b = s.words(i.operands[2]);
  const Words result = s.word_results(i.operands[0]);
  const Operand high = fresh(s);
  emit_logic(s, high, s.builder.in_register(a.high), number(kSignBit), s.builder.in_register(b.high),
             kChoice);
  s.emit(Opcode::Mov, {result.low, b.low});
  s.emit(Opcode::Mov, {result.high, high});
}

void select_testp(Selection& s, const ptx::Instruction& i) {
  if (i.type() != Modifier::F32 && i.type() != Modifier::F64) Selection::refuse(i);
  const Operand p = s.predicate_result(i.operands[0]);
  Magnitude value(s, i);
  const auto whole = [&](ir::Modifier compare, std::uint32_t with, std::uint64_t with_wide) {
    value.emit(p, compare, with, with_wide, ir::Modifier::BoolAnd, always());
  };
  if (i.has(Modifier::Finite)) return whole(ir::Modifier::CompareLt, kInfinity, kInfinity64);
  if (i.has(Modifier::Infinite)) return whole(ir::Modifier::CompareEq, kInfinity, kInfinity64);
  if (i.has(Modifier::Number)) return whole(ir::Modifier::CompareLe, kInfinity, kInfinity64);
  if (i.has(Modifier::Notanumber)) return whole(ir::Modifier::CompareGtu, kInfinity, kInfinity64);
  if (i.has(Modifier::Subnormal)) {
    const Operand is_small = value.holds(ir::Modifier::CompareLt, kLeastNormal, kLeastNormal64);
    return value.emit(p, ir::Modifier::CompareGt, 0, 0, ir::Modifier::BoolAnd, is_small);
  }
  if (!i.has(Modifier::Normal)) Selection::refuse(i);
  // Zero counts as normal.
  const Operand is_finite = value.holds(ir::Modifier::CompareLt, kInfinity, kInfinity64);
  const Operand is_great = pred(s.builder.fresh_predicate());
  value.emit(is_great, ir::Modifier::CompareGe, kLeastNormal, kLeastNormal64, ir::Modifier::BoolAnd,
             is_finite);
  value.emit(p, ir::Modifier::CompareEq, 0, 0, ir::Modifier::BoolOr, is_great);
}

}  // namespace heddle::lower
