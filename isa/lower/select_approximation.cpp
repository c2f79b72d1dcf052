// Approximations of functions: MUFU, with what surrounds it where denormal numbers count. Correctly rounded
// reciprocals and roots are in the library (library.h).
#include "isa/lower/floats.h"
#include "isa/lower/select.h"

namespace heddle::lower {

namespace {

using ir::Opcode;
using ptx::Modifier;

constexpr std::uint32_t kLeastNormal = 0x00800000;
constexpr std::uint32_t kTwoTo24 = 0x4b800000;
constexpr std::uint32_t kTwoTo12 = 0x45800000;
constexpr std::uint32_t kTwoToMinus12 = 0x39800000;
constexpr std::uint32_t kTwoTo126 = 0x7e800000;
constexpr std::uint32_t kQuarter = 0x3e800000;
constexpr std::uint32_t kHalf = 0x3f000000;
constexpr std::uint32_t kMinus24 = 0xc1c00000;
constexpr std::uint32_t kMinus126 = 0xc2fc0000;
constexpr std::uint32_t kTurnsPerRadian = 0x3e22f983;  // 1 / (2 pi)

void mufu(Selection& s, const Operand& result, const Operand& a, ir::Modifier function) {
  s.emit(Opcode::Mufu, {result, a}, {function});
}

/// a, but b times it where the predicate holds.
Operand scaled_where(Selection& s, const ptx::Instruction& i, const Operand& predicate, const Operand& a,
                     std::uint32_t factor) {
  const Operand made = fresh(s);
  s.emit(Opcode::Mov, {made, a});
  emit_where(s, i, predicate, [&] { s.emit(Opcode::Fmul, {made, made, number(factor)}); });
  return made;
}

/// A plain copy of the source, with its sign, that is read more than once.
Operand source_of(Selection& s, const ptx::Instruction& i) {
  return s.builder.in_register(s.source(i.operands[1]));
}

/// f(a), where denormal numbers are first multiplied by 2^24 and the result then by a factor.
void with_scaled_denormals(Selection& s, const ptx::Instruction& i, ir::Modifier function,
                           std::uint32_t factor) {
  const Operand a = source_of(s, i);
  const Operand is_small = compare_magnitude(s, a, ir::Modifier::CompareLt, kLeastNormal);
  const Operand result = s.result(i.operands[0]);
  const Operand found = fresh(s);
  mufu(s, found, scaled_where(s, i, is_small, a, kTwoTo24), function);
  s.emit(Opcode::Mov, {result, scaled_where(s, i, is_small, found, factor)});
}

void logarithm(Selection& s, const ptx::Instruction& i) {
  const Operand a = source_of(s, i);
  const Operand is_small = compare_magnitude(s, a, ir::Modifier::CompareLt, kLeastNormal);
  const Operand result = s.result(i.operands[0]);
  const Operand found = fresh(s);
  mufu(s, found, scaled_where(s, i, is_small, a, kTwoTo24), ir::Modifier::FunctionLg2);
  emit_where(s, i, is_small, [&] { s.emit(Opcode::Fadd, {found, found, number(kMinus24)}); });
  s.emit(Opcode::Mov, {result, found});
}

/// 2^x is (2^(x / 2))^2 where it is a denormal number.
void exponential(Selection& s, const ptx::Instruction& i) {
  const Operand a = source_of(s, i);
  const Operand is_low = pred(s.builder.fresh_predicate());
  s.emit(Opcode::Fsetp, {is_low, always(), a, number(kMinus126), always()},
         {ir::Modifier::CompareLt, ir::Modifier::BoolAnd});
  const Operand result = s.result(i.operands[0]);
  const Operand found = fresh(s);
  mufu(s, found, scaled_where(s, i, is_low, a, kHalf), ir::Modifier::FunctionEx2);
  emit_where(s, i, is_low, [&] { s.emit(Opcode::Fmul, {found, found, found}); });
  s.emit(Opcode::Mov, {result, found});
}

/// Both ends of the range: 1 / (a 2^24) 2^24 and 1 / (a / 4) / 4.
void reciprocal(Selection& s, const ptx::Instruction& i) {
  const Operand a = source_of(s, i);
  const Operand is_small = compare_magnitude(s, a, ir::Modifier::CompareLt, kLeastNormal);
  const Operand is_great = compare_magnitude(s, a, ir::Modifier::CompareGt, kTwoTo126);
  const Operand factor = fresh(s);
  const Operand scaled = fresh(s);
  const Operand found = fresh(s);
  s.emit(Opcode::Mov, {factor, number(0x3f800000)});
  emit_where(s, i, is_small, [&] { s.emit(Opcode::Mov, {factor, number(kTwoTo24)}); });
  emit_where(s, i, is_great, [&] { s.emit(Opcode::Mov, {factor, number(kQuarter)}); });
  s.emit(Opcode::Fmul, {scaled, a, factor});
  mufu(s, found, scaled, ir::Modifier::FunctionRcp);
  s.emit(Opcode::Fmul, {s.result(i.operands[0]), found, factor});
}

void sine(Selection& s, const ptx::Instruction& i, ir::Modifier function) {
  const Operand turns = fresh(s);
  Operand a = float_source(s, i, i.operands[1], Modifier::F32);
  a = s.builder.in_register(a);
  s.emit(Opcode::Fmul, {turns, a, number(kTurnsPerRadian)}, {flush(i), ir::Modifier::FloatRoundingZero});
  mufu(s, s.result(i.operands[0]), turns, function);
}

/// With .ftz it is MUFU alone.
void plain(Selection& s, const ptx::Instruction& i, ir::Modifier function) {
  const Operand a = s.builder.in_register(float_source(s, i, i.operands[1], Modifier::F32));
  mufu(s, s.result(i.operands[0]), a, function);
}

/// The high word of a double, the low one being zero.
void high_word(Selection& s, const ptx::Instruction& i, ir::Modifier function) {
  const Words a = s.words(i.operands[1]);
  const Words result = s.word_results(i.operands[0]);
  mufu(s, result.high, a.high, function);
  s.emit(Opcode::Mov, {result.low, zero()});
}

ir::Modifier function_of(ptx::Opcode opcode) {
  switch (opcode) {
    case ptx::Opcode::Rcp:
      return ir::Modifier::FunctionRcp;
    case ptx::Opcode::Sqrt:
      return ir::Modifier::FunctionSqrt;
    case ptx::Opcode::Rsqrt:
      return ir::Modifier::FunctionRsq;
    case ptx::Opcode::Sin:
      return ir::Modifier::FunctionSin;
    case ptx::Opcode::Cos:
      return ir::Modifier::FunctionCos;
    case ptx::Opcode::Lg2:
      return ir::Modifier::FunctionLg2;
    case ptx::Opcode::Tanh:
      return ir::Modifier::FunctionTanh;
    default:
      return ir::Modifier::FunctionEx2;
  }
}

/// ex2 and tanh of 16-bit numbers: as floats, rounded once more.
void of_halves(Selection& s, const ptx::Instruction& i) {
  const Modifier type = i.type();
  const bool is_packed = bits_of(type) == 32;
  const Operand a = s.builder.in_register(s.source(i.operands[1]));
  Operand found[2] = {fresh(s), zero()};
  mufu(s, found[0], float_of_half(s, a, type), function_of(i.opcode));
  if (is_packed) {
    const Operand upper = fresh(s);
    found[1] = fresh(s);
    s.emit(Opcode::Prmt, {upper, a, number(0x7732), zero()});
    mufu(s, found[1], float_of_half(s, upper, type), function_of(i.opcode));
  }
  const bool is_early = s.target.compute_capability <= 86;
  const Opcode to_half = is_early ? Opcode::F2fpF16Short : Opcode::F2fpF16;
  const Opcode to_bfloat = is_early ? Opcode::F2fpBf16Short : Opcode::F2fpBf16;
  s.emit(is_bfloat(type) ? to_bfloat : to_half, {s.result(i.operands[0]), found[1], found[0]});
}

void of_floats(Selection& s, const ptx::Instruction& i) {
  const ir::Modifier function = function_of(i.opcode);
  switch (i.opcode) {
    case ptx::Opcode::Sin:
    case ptx::Opcode::Cos:
      return sine(s, i, function);
    case ptx::Opcode::Tanh:
      return plain(s, i, function);
    default:
      break;
  }
  if (i.has(Modifier::Ftz)) return plain(s, i, function);
  switch (i.opcode) {
    case ptx::Opcode::Rcp:
      return reciprocal(s, i);
    case ptx::Opcode::Sqrt:
      return with_scaled_denormals(s, i, function, kTwoToMinus12);
    case ptx::Opcode::Rsqrt:
      return with_scaled_denormals(s, i, function, kTwoTo12);
    case ptx::Opcode::Lg2:
      return logarithm(s, i);
    default:
      return exponential(s, i);
  }
}

}  // namespace

void select_approximation(Selection& s, const ptx::Instruction& i) {
  if (!i.has(Modifier::Approx)) Selection::refuse(i);
  const Modifier type = i.type();
  if (type == Modifier::F32) return of_floats(s, i);
  const bool is_wide = type == Modifier::F64 && i.has(Modifier::Ftz);
  if (is_wide && i.opcode == ptx::Opcode::Rcp) return high_word(s, i, ir::Modifier::FunctionRcp64h);
  if (is_wide && i.opcode == ptx::Opcode::Rsqrt) return high_word(s, i, ir::Modifier::FunctionRsq64h);
  const bool has_halves = i.opcode == ptx::Opcode::Ex2 || i.opcode == ptx::Opcode::Tanh;
  if (has_halves && (is_half(type) || is_bfloat(type))) return of_halves(s, i);
  Selection::refuse(i);
}

}  // namespace heddle::lower
