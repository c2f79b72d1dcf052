// Sums, differences, signs, minima and maxima of integers.
#include <optional>

#include "isa/lower/kinds.h"
#include "isa/lower/select.h"
#include "isa/lower/wide_sums.h"

namespace heddle::lower {

namespace {

using ir::Opcode;
using ptx::Modifier;

/// mul.wide is one instruction with the sum. If several sums want the product, as the addresses of the
/// elements i of several arrays do, each is one with it: two additions of 32 bits would be one more each.
const ptx::Instruction* product_to_add(Selection& s, const ptx::Operand& operand) {
  const ptx::Instruction* product = s.maker(operand);
  if (product == nullptr || product->opcode != ptx::Opcode::Mul || !product->has(Modifier::Wide))
    return nullptr;
  const bool is_32 = bits_of(product->type()) == 32;
  const bool lasts = s.is_lasting(product->operands[1]) && s.is_lasting(product->operands[2]);
  return is_32 && lasts ? product : nullptr;
}

bool add_product(Selection& s, const ptx::Instruction& instruction, const ptx::Operand& product_of,
                 const ptx::Operand& other) {
  const ptx::Instruction* product = product_to_add(s, product_of);
  if (product == nullptr) return false;
  Operand a = s.source(product->operands[1]);
  Operand b = s.source(product->operands[2]);
  put_register_first(a, b);
  s.emit(Opcode::ImadWide, {s.wide_result(instruction.operands[0]), always(), a, b, s.wide(other)},
         {int_type(product->type())});
  return true;
}

/// A value of so many bits, shifted left by a number of places.
struct Shifted {
  const ptx::Operand& value;
  unsigned places;
};

std::optional<Shifted> shifted(const Selection& s, const ptx::Operand& operand, unsigned bits) {
  const ptx::Instruction* shift = s.maker(operand);
  if (shift == nullptr || shift->opcode != ptx::Opcode::Shl || bits_of(shift->type()) != bits)
    return std::nullopt;
  const ptx::Operand& value = shift->operands[1];
  const auto places = number_of(shift->operands[2], 32);
  const bool lasts = value.kind == ptx::Operand::Kind::Register && s.is_lasting(value);
  if (!lasts || !places || *places == 0 || *places >= 32) return std::nullopt;
  return Shifted{value, static_cast<unsigned>(*places)};
}

/// shl is one instruction with the sum, however many want it.
bool add_shifted(Selection& s, const ptx::Instruction& instruction, const ptx::Operand& summand,
                 const ptx::Operand& other) {
  const auto found = shifted(s, summand, 32);
  if (!found) return false;
  const Operand value = s.builder.in_register(s.source(found->value));
  s.emit(Opcode::Lea,
         {s.result(instruction.operands[0]), always(), value, s.source(other), number(found->places)});
  return true;
}

bool add_shifted_wide(Selection& s, const ptx::Instruction& instruction, const ptx::Operand& summand,
                      const ptx::Operand& other) {
  const auto found = shifted(s, summand, 64);
  if (!found) return false;
  const Words value = s.words(found->value);
  const Words with = s.words(other);
  const Words sum = s.word_results(instruction.operands[0]);
  const Operand low = s.builder.in_register(value.low);
  const Operand carry = pred(s.builder.fresh_predicate());
  s.emit(Opcode::Lea, {sum.low, carry, low, with.low, number(found->places)});
  s.emit(Opcode::LeaHiX, {sum.high, always(), low, with.high, value.high, number(found->places), carry});
  return true;
}

/// What is known of a sum of an address and a number, for loads and stores behind it.
void note_address(Selection& s, const ptx::Instruction& instruction) {
  const ptx::Operand& base = instruction.operands[1];
  const auto offset = number_of(instruction.operands[2], 64);
  Value& sum = s.values[instruction.operands[0].reg];
  if (!offset || base.kind != ptx::Operand::Kind::Register || !sum.is_single() ||
      !s.values[base.reg].is_single())
    return;
  const auto signed_offset = static_cast<std::int64_t>(*offset);
  const auto before = s.address_of(s.values[base.reg]);
  sum.address = before ? KnownAddress{before->base, before->offset + signed_offset}
                       : KnownAddress{base.reg, signed_offset};
  sum.noted_in = s.block;
}

void add_wide(Selection& s, const ptx::Instruction& instruction, bool subtracts) {
  const auto& operands = instruction.operands;
  if (!subtracts) {
    if (add_product(s, instruction, operands[1], operands[2])) return;
    if (add_product(s, instruction, operands[2], operands[1])) return;
    if (operands[0].kind == ptx::Operand::Kind::Register) note_address(s, instruction);
    if (add_shifted_wide(s, instruction, operands[1], operands[2])) return;
    if (add_shifted_wide(s, instruction, operands[2], operands[1])) return;
  }
  const Words sum = s.word_results(operands[0]);
  if (subtracts) {
    subtract_words(s.builder, sum, s.words(operands[1]), s.words(operands[2]));
  } else {
    add_words(s.builder, sum, s.words(operands[1]), s.words(operands[2]));
  }
}

/// add{.u16x2,.s16x2}: the halves apart, put together again.
void add_halves(Selection& s, const ptx::Instruction& instruction) {
  const Operand a = s.builder.in_register(s.source(instruction.operands[1]));
  const Operand b = s.builder.in_register(s.source(instruction.operands[2]));
  const Operand low = reg(s.builder.fresh());
  const Operand shifted = reg(s.builder.fresh());
  const Operand high = reg(s.builder.fresh());
  s.emit(Opcode::Iadd3, {low, always(), always(), a, b, zero()});
  s.emit(Opcode::Lop3, {always(), shifted, b, number(0xffff0000), zero(), number(0xc0), never()},
         {ir::Modifier::LutLut});
  s.emit(Opcode::Iadd3, {high, always(), always(), a, shifted, zero()});
  s.emit(Opcode::Prmt, {s.result(instruction.operands[0]), low, number(0x7610), high});
}

void add_saturating(Selection& s, const ptx::Instruction& instruction, bool subtracts) {
  if (instruction.type() != Modifier::S32) Selection::refuse(instruction);
  const Operand a = s.builder.in_register(s.source(instruction.operands[1]));
  const Operand b = s.builder.in_register(s.source(instruction.operands[2]));
  const Operand sum = reg(s.builder.fresh());
  const Operand overflow = reg(s.builder.fresh());
  const Operand limit = reg(s.builder.fresh());
  const ir::RegisterIndex overflows = s.builder.fresh_predicate();
  s.emit(Opcode::Iadd3, {sum, always(), always(), a, subtracts ? negative(b) : b, zero()});
  // (a ^ sum) & (b ^ sum), or of a difference (a ^ b) & (a ^ sum): its sign says that the sum has the wrong
  // one.
  s.emit(Opcode::Lop3, {always(), overflow, a, b, sum, number(subtracts ? 0x18 : 0x42), never()},
         {ir::Modifier::LutLut});
  s.emit(Opcode::Isetp, {pred(overflows), always(), overflow, zero(), always(), never()},
         {ir::Modifier::CompareLt, ir::Modifier::IntTypeS32, ir::Modifier::BoolAnd});
  s.emit(Opcode::Shf, {limit, zero(), number(31), a},
         {ir::Modifier::ShiftDirectionRight, ir::Modifier::ShiftTypeS32, ir::Modifier::HalfHigh});
  s.emit(Opcode::Lop3, {always(), limit, limit, number(0x7fffffff), zero(), number(0x3c), never()},
         {ir::Modifier::LutLut});
  s.emit(Opcode::Sel, {s.result(instruction.operands[0]), limit, sum, pred(overflows)});
}

}  // namespace

void select_add(Selection& s, const ptx::Instruction& instruction) {
  const Modifier type = instruction.type();
  const bool subtracts = instruction.opcode == ptx::Opcode::Sub;
  if (instruction.has(Modifier::Cc)) return select_add_with_carry(s, instruction);
  if (type == Modifier::U16x2 || type == Modifier::S16x2) {
    if (subtracts || instruction.has(Modifier::Sat)) Selection::refuse(instruction);
    return add_halves(s, instruction);
  }
  if (is_float(type)) return select_float_sum(s, instruction);
  if (instruction.has(Modifier::Sat)) return add_saturating(s, instruction, subtracts);
  if (bits_of(type) == 64) return add_wide(s, instruction, subtracts);
  if (!subtracts && bits_of(type) == 32) {
    if (add_shifted(s, instruction, instruction.operands[1], instruction.operands[2])) return;
    if (add_shifted(s, instruction, instruction.operands[2], instruction.operands[1])) return;
  }
  Operand a = s.source(instruction.operands[1]);
  Operand b = s.source(instruction.operands[2]);
  if (subtracts) b = minus(b);
  put_register_first(a, b);
  s.emit(Opcode::Iadd3, {s.result(instruction.operands[0]), always(), always(), a, b, zero()});
}

void select_neg(Selection& s, const ptx::Instruction& instruction) {
  const Modifier type = instruction.type();
  if (is_float(type)) return select_float_sign(s, instruction);
  if (bits_of(type) == 64) {
    return subtract_words(s.builder, s.word_results(instruction.operands[0]), {zero(), zero()},
                          s.words(instruction.operands[1]));
  }
  const Operand value = s.source(instruction.operands[1]);
  s.emit(Opcode::Iadd3, {s.result(instruction.operands[0]), always(), always(),
                         minus(s.builder.in_register(value)), zero(), zero()});
}

void select_abs(Selection& s, const ptx::Instruction& instruction) {
  const Modifier type = instruction.type();
  if (is_float(type)) return select_float_sign(s, instruction);
  if (bits_of(type) <= 32) {
    s.emit(Opcode::Iabs,
           {s.result(instruction.operands[0]), s.extended(instruction.operands[1], bits_of(type), true)});
    return;
  }
  // (a ^ sign) - sign, sign being all ones of what is negative
  const Words value = s.words(instruction.operands[1]);
  const Operand sign = reg(s.builder.fresh());
  const Words flipped{reg(s.builder.fresh()), reg(s.builder.fresh())};
  s.emit(Opcode::Shf, {sign, zero(), number(31), s.builder.in_register(value.high)},
         {ir::Modifier::ShiftDirectionRight, ir::Modifier::ShiftTypeS32, ir::Modifier::HalfHigh});
  s.emit(Opcode::Lop3, {always(), flipped.low, sign, value.low, zero(), number(0x3c), never()},
         {ir::Modifier::LutLut});
  s.emit(Opcode::Lop3, {always(), flipped.high, sign, value.high, zero(), number(0x3c), never()},
         {ir::Modifier::LutLut});
  subtract_words(s.builder, s.word_results(instruction.operands[0]), flipped, {sign, sign});
}

namespace {

void emit_min_max(Selection& s, const Operand& to, const Operand& a, const Operand& b, Modifier type,
                  bool is_min) {
  const Operand takes_least = is_min ? always() : never();
  if (s.target.compute_capability >= 90) {
    s.emit(Opcode::Vimnmx, {to, always(), always(), a, b, takes_least}, {int_type(type)});
  } else {
    s.emit(Opcode::Imnmx, {to, a, b, takes_least}, {int_type(type)});
  }
}

/// Both halves of two words. GPUs before 9.0 have no instruction for them.
void emit_min_max_of_halves(Selection& s, const Operand& to, const Operand& a, const Operand& b,
                            Modifier type, bool is_min) {
  const Operand takes_least = is_min ? always() : never();
  const bool has_sign = type == Modifier::S16x2;
  if (s.target.compute_capability >= 90) {
    s.emit(has_sign ? Opcode::VimnmxS16 : Opcode::VimnmxU16, {to, always(), always(), a, b, takes_least});
    return;
  }
  const auto half = [&](const Operand& word, unsigned choice) {
    const Operand made = reg(s.builder.fresh());
    s.emit(Opcode::Prmt, {made, word, number(choice), zero()});
    return made;
  };
  const auto least = [&](unsigned choice) {
    const Operand made = reg(s.builder.fresh());
    emit_min_max(s, made, half(a, choice), half(b, choice), has_sign ? Modifier::S32 : Modifier::U32, is_min);
    return made;
  };
  const Operand low = least(has_sign ? 0x9910U : 0x4410U);
  s.emit(Opcode::Prmt, {to, low, number(0x5410U), least(has_sign ? 0xbb32U : 0x4432U)});
}

void select_min_max_of_halves(Selection& s, const ptx::Instruction& instruction) {
  const Modifier type = instruction.type();
  const bool is_min = instruction.opcode == ptx::Opcode::Min;
  const bool has_relu = instruction.has(Modifier::Relu);
  if (has_relu && type != Modifier::S16x2) Selection::refuse(instruction);
  const Operand a = s.builder.in_register(s.source(instruction.operands[1]));
  const Operand b = s.builder.in_register(s.source(instruction.operands[2]));
  const Operand result = s.result(instruction.operands[0]);
  const Operand made = has_relu ? reg(s.builder.fresh()) : result;
  emit_min_max_of_halves(s, made, a, b, type, is_min);
  if (has_relu) emit_min_max_of_halves(s, result, made, zero(), type, false);
}

}  // namespace

void select_min_max(Selection& s, const ptx::Instruction& instruction) {
  const Modifier type = instruction.type();
  const bool is_min = instruction.opcode == ptx::Opcode::Min;
  if (type == Modifier::U16x2 || type == Modifier::S16x2) return select_min_max_of_halves(s, instruction);
  const bool has_relu = instruction.has(Modifier::Relu);
  if (has_relu && type != Modifier::S32) Selection::refuse(instruction);
  if (is_float(type)) return select_float_min_max(s, instruction);
  if (bits_of(type) <= 32) {
    Operand a = s.extended(instruction.operands[1], bits_of(type), is_signed(type));
    Operand b = s.extended(instruction.operands[2], bits_of(type), is_signed(type));
    put_register_first(a, b);
    const Operand result = s.result(instruction.operands[0]);
    const Operand made = has_relu ? reg(s.builder.fresh()) : result;
    emit_min_max(s, made, a, b, type, is_min);
    if (has_relu) emit_min_max(s, result, made, zero(), type, false);
    if (bits_of(type) < 32) s.note_extension(instruction.operands[0], is_signed(type));
    return;
  }
  const Words a = s.words(instruction.operands[1]);
  const Words b = s.words(instruction.operands[2]);
  const Words least = s.word_results(instruction.operands[0]);
  const Operand takes_a = compare_words(
      s.builder, a, b, is_min ? ir::Modifier::CompareLt : ir::Modifier::CompareGt, int_type(type));
  s.emit(Opcode::Sel, {least.low, s.builder.in_register(a.low), b.low, takes_a});
  s.emit(Opcode::Sel, {least.high, s.builder.in_register(a.high), b.high, takes_a});
}

void select_sad(Selection& s, const ptx::Instruction& instruction) {
  const Modifier type = instruction.type();
  if (bits_of(type) != 32) Selection::refuse(instruction);
  s.emit(Opcode::Vabsdiff,
         {s.result(instruction.operands[0]), s.source(instruction.operands[1]),
          s.source(instruction.operands[2]), s.source(instruction.operands[3])},
         {int_type(type)});
}

}  // namespace heddle::lower
