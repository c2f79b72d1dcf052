// Comparisons of floating-point numbers: setp and set.
#include "isa/lower/comparison.h"
#include "isa/lower/floats.h"
#include "isa/lower/select.h"

namespace heddle::lower {

namespace {

using ir::Opcode;
using Compare = ir::Modifier;
using ptx::Modifier;

struct Relation {
  Modifier word;
  Compare compare;
  Compare opposite;
  Compare mirrored;  ///< The same of (b, a).
};

constexpr Relation kRelations[] = {
    {Modifier::Eq, Compare::CompareEq, Compare::CompareNeu, Compare::CompareEq},
    {Modifier::Ne, Compare::CompareNe, Compare::CompareEqu, Compare::CompareNe},
    {Modifier::Lt, Compare::CompareLt, Compare::CompareGeu, Compare::CompareGt},
    {Modifier::Le, Compare::CompareLe, Compare::CompareGtu, Compare::CompareGe},
    {Modifier::Gt, Compare::CompareGt, Compare::CompareLeu, Compare::CompareLt},
    {Modifier::Ge, Compare::CompareGe, Compare::CompareLtu, Compare::CompareLe},
    {Modifier::Equ, Compare::CompareEqu, Compare::CompareNe, Compare::CompareEqu},
    {Modifier::Neu, Compare::CompareNeu, Compare::CompareEq, Compare::CompareNeu},
    {Modifier::Ltu, Compare::CompareLtu, Compare::CompareGe, Compare::CompareGtu},
    {Modifier::Leu, Compare::CompareLeu, Compare::CompareGt, Compare::CompareGeu},
    {Modifier::Gtu, Compare::CompareGtu, Compare::CompareLe, Compare::CompareLtu},
    {Modifier::Geu, Compare::CompareGeu, Compare::CompareLt, Compare::CompareLeu},
    {Modifier::Num, Compare::CompareNum, Compare::CompareNan, Compare::CompareNum},
    {Modifier::Nan, Compare::CompareNan, Compare::CompareNum, Compare::CompareNan},
};

const Relation& relation_of(const ptx::Instruction& i) {
  for (const Relation& relation : kRelations) {
    if (i.has(relation.word)) return relation;
  }
  Selection::refuse(i);
}

Opcode comparison_of(Modifier type) {
  switch (type) {
    case Modifier::F32:
      return Opcode::Fsetp;
    case Modifier::F64:
      return Opcode::Dsetp;
    case Modifier::Bf16:
    case Modifier::Bf16x2:
      return Opcode::Hsetp2Bf16;
    default:
      return Opcode::Hsetp2;
  }
}

bool has_flush(Modifier type) { return type == Modifier::F32 || is_half(type); }

/// A comparison of a and b and what it is combined with.
struct Comparison {
  Operand a;
  Operand b;
  Operand with;
  Compare compare{};
  Compare opposite{};
};

Comparison comparison_of(Selection& s, const ptx::Instruction& i, Modifier type) {
  const Relation& relation = relation_of(i);
  Comparison made{float_source(s, i, i.operands[1], type), float_source(s, i, i.operands[2], type),
                  i.operands.size() > 3 ? s.predicate(i.operands[3]) : always(), relation.compare,
                  relation.opposite};
  if (!is_register(made.a) && is_register(made.b)) {
    std::swap(made.a, made.b);
    made.compare = relation.mirrored;
    made.opposite = relation_of(i).mirrored;
    for (const Relation& each : kRelations) {
      if (each.compare == relation.mirrored) made.opposite = each.opposite;
    }
  }
  return made;
}

void emit(Selection& s, const ptx::Instruction& i, Modifier type, const Operand& p, const Operand& q,
          const Comparison& of, Compare compare) {
  const Compare with = boolean_of(i);
  if (has_flush(type)) {
    s.emit(comparison_of(type), {p, q, of.a, of.b, of.with}, {compare, flush(i), with});
  } else {
    if (i.has(Modifier::Ftz)) Selection::refuse(i);
    s.emit(comparison_of(type), {p, q, of.a, of.b, of.with}, {compare, with});
  }
}

void check(const ptx::Instruction& i, Modifier type) {
  if (type != Modifier::F32 && type != Modifier::F64 && !is_half(type) && !is_bfloat(type))
    Selection::refuse(i);
}

bool is_packed(Modifier type) { return type == Modifier::F16x2 || type == Modifier::Bf16x2; }

/// What a set instruction gives where its comparison holds, in its lowest bits or in both halves.
std::uint64_t truth_of(const ptx::Instruction& i, Modifier type) {
  switch (type) {
    case Modifier::F32:
      return 0x3f800000;
    case Modifier::F16:
    case Modifier::F16x2:
      return 0x3c00;
    case Modifier::Bf16:
    case Modifier::Bf16x2:
      return 0x3f80;
    case Modifier::U16:
    case Modifier::S16:
      return 0xffff;
    case Modifier::U32:
    case Modifier::S32:
      return is_packed(i.type(1)) ? 0xffff : 0xffffffffU;
    default:
      Selection::refuse(i);
  }
}

void set_halves(Selection& s, const ptx::Instruction& i, const Comparison& of) {
  const Operand low_holds = pred(s.builder.fresh_predicate());
  const Operand high_holds = pred(s.builder.fresh_predicate());
  const Operand low = fresh(s);
  const Operand high = fresh(s);
  const std::uint64_t truth = truth_of(i, i.type());
  emit(s, i, i.type(1), low_holds, high_holds, of, of.compare);
  s.emit(Opcode::Sel, {low, zero(), number(truth), pred(low_holds.index, true)});
  s.emit(Opcode::Sel, {high, zero(), number(truth << 16), pred(high_holds.index, true)});
  emit_logic(s, s.result(i.operands[0]), low, high, zero(), 0xfc);
}

}  // namespace

void select_float_setp(Selection& s, const ptx::Instruction& i) {
  const Modifier type = i.type();
  check(i, type);
  const bool has_two = i.operands[0].kind == ptx::Operand::Kind::Pair;
  const Operand p = s.predicate_result(has_two ? i.operands[0].elements[0] : i.operands[0]);
  const Operand q = has_two ? s.predicate_result(i.operands[0].elements[1]) : always();
  const Comparison of = comparison_of(s, i, type);
  if (!has_two || is_packed(type) || bits_of(type) >= 32) return emit(s, i, type, p, q, of, of.compare);
  // The second predicate of HSETP2 is that of the high halves. What is combined must not be overwritten
  // between the two.
  const Operand first = pred(s.builder.fresh_predicate());
  emit(s, i, type, first, always(), of, of.compare);
  emit(s, i, type, q, always(), of, of.opposite);
  s.emit(Opcode::Plop3, {p, always(), first, always(), always(), number(0x80), number(0)},
         {ir::Modifier::LutLut});
}

void select_float_set(Selection& s, const ptx::Instruction& i) {
  const Modifier type = i.type(1);
  check(i, type);
  const Comparison of = comparison_of(s, i, type);
  if (is_packed(type) && i.type() != Modifier::F16x2) return set_halves(s, i, of);
  if (type == Modifier::F32 && i.type() == Modifier::F32) {
    s.emit(Opcode::FsetBf, {s.result(i.operands[0]), of.a, of.b, of.with},
           {of.compare, flush(i), boolean_of(i)});
    return;
  }
  if (is_half(type) && is_half(i.type())) {
    s.emit(Opcode::Hset2Bf, {s.result(i.operands[0]), of.a, of.b, of.with},
           {of.compare, flush(i), boolean_of(i)});
    return;
  }
  const Operand holds = pred(s.builder.fresh_predicate());
  emit(s, i, type, holds, always(), of, of.compare);
  s.emit(Opcode::Sel,
         {s.result(i.operands[0]), zero(), number(truth_of(i, i.type())), pred(holds.index, true)});
}

}  // namespace heddle::lower
