// Conversions without a row of the IR: packed integers, tf32, and floats of 4, 6 and 8 bits.
#include "isa/lower/expand.h"
#include "isa/lower/expansion_writer.h"
#include "isa/lower/kinds.h"
#include "isa/lower/small_floats.h"

namespace heddle::lower {

namespace {

using ptx::Instruction;
using ptx::Modifier;
using Kind = ptx::Operand::Kind;

/// cvt.rn{.relu}{.satfinite}.tf32.f32 and those of .rna and .rz that saturate. 13 bits are cut off.
std::optional<Expansion> expand_tf32(const Instruction& i) {
  const bool is_selected = (i.has(Modifier::Rna) || i.has(Modifier::Rz)) && !i.has(Modifier::Satfinite);
  if (i.type(1) != Modifier::F32 || is_selected || i.operands.size() != 2) return std::nullopt;
  ExpansionWriter w;
  w.result("b32", "%d", i.operands[0]);
  w.argument("b32", "%a", i.operands[1]);
  w.add(R"(.reg .b32 %t, %u, %sign;
.reg .pred %nan, %inf, %minus, %past;
and.b32 %t, %a, 0x7fffffff;
and.b32 %sign, %a, 0x80000000;
setp.gt.u32 %nan, %t, 0x7f800000;
setp.eq.u32 %inf, %t, 0x7f800000;
setp.ne.b32 %minus, %sign, 0;)");
  if (i.has(Modifier::Rn)) {
    w.add("bfe.u32 %u, %t, 13, 1;\nadd.u32 %u, %u, 0xfff;\nadd.u32 %u, %u, %t;");
  } else if (i.has(Modifier::Rna)) {
    w.add("add.u32 %u, %t, 0x1000;");
  } else if (i.has(Modifier::Rz)) {
    w.add("mov.b32 %u, %t;");
  } else {
    return std::nullopt;
  }
  w.add("and.b32 %u, %u, 0xffffe000;\nselp.b32 %t, %t, %u, %inf;");
  if (i.has(Modifier::Satfinite)) w.add("min.u32 %t, %t, 0x7f7fe000;");
  w.add("or.b32 %t, %t, %sign;");
  if (i.has(Modifier::Relu)) w.add("selp.b32 %t, 0, %t, %minus;");
  w.add("selp.b32 %d, 0x7fffffff, %t, %nan;");
  return w.finish();
}

void saturate(ExpansionWriter& w, const char* to, const char* from, unsigned bits, bool has_sign) {
  const int least = has_sign ? -(1 << (bits - 1)) : 0;
  const int most = (1 << (bits - (has_sign ? 1 : 0))) - 1;
  w.add("max.s32 {0}, {1}, {2};\nmin.s32 {0}, {0}, {3};", to, from, least, most);
  w.add("and.b32 {0}, {0}, {1};", to, (1U << bits) - 1);
}

const SmallFloat* small_float_of(Modifier type) {
  for (const SmallFloat& one : kSmallFloats) {
    if (one.packed == type) return &one;
  }
  return nullptr;
}

/// Two floats, or two halves, to small ones. A scaled number's nearest integer is its fraction, behind the
/// exponent.
void encode(ExpansionWriter& w, const SmallFloat& to, const char* result, const char* from, bool has_relu) {
  w.add("and.b32 %m, {}, 0x7fffffff;\nsetp.gt.u32 %nan, %m, 0x7f800000;", from);
  w.add("min.u32 %m, %m, {:#x};\nshr.u32 %e, %m, 23;\nmax.u32 %e, %e, {};", to.most_as_float,
        127 + to.least_exponent);
  // 2^(fraction bits - exponent): its biased exponent is 254 and the fraction's bits less the biased one.
  w.add("sub.u32 %x, {}, %e;\nshl.b32 %x, %x, 23;\nmul.rn.f32 %x, %m, %x;", 254 + to.fraction_bits);
  w.add("cvt.rni.u32.f32 %n, %x;\nsub.u32 %e, %e, {};\nshl.b32 %e, %e, {};\nadd.u32 %n, %n, %e;",
        127 + to.least_exponent, to.fraction_bits);
  w.add("setp.lt.s32 %minus, {}, 0;", from);
  if (has_relu) {
    w.add("selp.b32 %n, 0, %n, %minus;");
  } else {
    w.add("@%minus or.b32 %n, %n, {};", to.sign_bit);
  }
  w.add("selp.b32 {}, {}, %n, %nan;", result, to.nan);
}

std::optional<Expansion> expand_to_small(const Instruction& i, const SmallFloat& to) {
  const Modifier from = i.type(1);
  const bool from_pair = from == Modifier::F16x2 || from == Modifier::Bf16x2;
  if (!i.has(Modifier::Rn) || !i.has(Modifier::Satfinite)) return std::nullopt;
  if (i.operands.size() != (from_pair ? 2 : 3) || (!from_pair && from != Modifier::F32)) return std::nullopt;
  ExpansionWriter w;
  w.result(to.pair_bits == 8 ? "b8" : "b16", "%d", i.operands[0]);
  w.argument("b32", "%a", i.operands[1]);
  if (!from_pair) w.argument("b32", "%b", i.operands[2]);
  w.add(".reg .b32 %upper, %lower, %m, %e, %x, %n;\n.reg .pred %nan, %minus;");
  if (from_pair) {
    const char* word = from == Modifier::F16x2 ? "f16" : "bf16";
    w.add(".reg .b16 %h, %l;\nmov.b32 {{%l, %h}}, %a;\ncvt.f32.{0} %upper, %h;\ncvt.f32.{0} %lower, %l;",
          word);
  } else {
    w.add("mov.b32 %upper, %a;\nmov.b32 %lower, %b;");
  }
  encode(w, to, "%upper", "%upper", i.has(Modifier::Relu));
  encode(w, to, "%lower", "%lower", i.has(Modifier::Relu));
  w.add("shl.b32 %upper, %upper, {};\nor.b32 %lower, %lower, %upper;\ncvt.u{}.u32 %d, %lower;",
        to.pair_bits / 2, to.pair_bits);
  return w.finish();
}

/// A half's exponent and fraction have room for those of all small floats: the bits are moved there, and
/// multiplied by what the exponents' biases differ.
void decode(ExpansionWriter& w, const SmallFloat& from, unsigned first_bit, const char* result,
            bool has_relu) {
  const unsigned magnitude_bits = from.exponent_bits + from.fraction_bits;
  w.add("shr.u32 %b, %word, {};\nand.b32 %m, %b, {};\nshl.b32 %n, %m, {};\ncvt.u16.u32 {}, %n;", first_bit,
        (1U << magnitude_bits) - 1, 10 - from.fraction_bits, result);
  const unsigned bias = (1U << (from.exponent_bits - 1)) - 1;
  if (from.exponent_bits < 5) w.add("mul.rn.f16 {0}, {0}, {1:#x};", result, (15 + 15 - bias) << 10);
  w.add("and.b32 %b, %b, {};\nsetp.ne.b32 %minus, %b, 0;", from.sign_bit);
  if (has_relu) {
    w.add("@%minus mov.b16 {}, 0;", result);
  } else {
    w.add("@%minus or.b16 {0}, {0}, 0x8000;", result);
  }
  if (from.has_nan)
    w.add("setp.gt.u32 %nan, %m, {};\n@%nan mov.b16 {}, 0x7fff;", from.greatest_number, result);
}

std::optional<Expansion> expand_from_small(const Instruction& i, const SmallFloat& from) {
  if (i.type() != Modifier::F16x2 || i.operands.size() != 2) return std::nullopt;
  ExpansionWriter w;
  w.result("b32", "%d", i.operands[0]);
  w.argument(from.pair_bits == 8 ? "b8" : "b16", "%a", i.operands[1]);
  w.add(".reg .b32 %word, %b, %m, %n;\n.reg .b16 %h, %l;\n.reg .pred %nan, %minus;\ncvt.u32.u{} %word, %a;",
        from.pair_bits);
  decode(w, from, from.pair_bits / 2, "%h", i.has(Modifier::Relu));
  decode(w, from, 0, "%l", i.has(Modifier::Relu));
  w.add("mov.b32 %d, {{%l, %h}};");
  return w.finish();
}

/// Powers of two; 255 is NaN, and 0 is 2^-127, a denormal bfloat.
std::optional<Expansion> expand_from_scale(const Instruction& i) {
  if (i.type() != Modifier::Bf16x2 || i.operands.size() != 2) return std::nullopt;
  ExpansionWriter w;
  w.result("b32", "%d", i.operands[0]);
  w.argument("b16", "%a", i.operands[1]);
  w.add(".reg .b32 %word, %b, %h, %l;\n.reg .pred %p;\ncvt.u32.u16 %word, %a;");
  for (const char* half : {"%l", "%h"}) {
    w.add("bfe.u32 %b, %word, {}, 8;\nshl.b32 {}, %b, 7;", half[1] == 'h' ? 8 : 0, half);
    w.add(
        "setp.eq.u32 %p, %b, 0;\n@%p mov.b32 {0}, 0x40;\nsetp.eq.u32 %p, %b, 255;\n@%p mov.b32 {0}, 0x7fff;",
        half);
  }
  w.add("prmt.b32 %d, %l, %h, 0x5410;");
  return w.finish();
}

/// cvt of a special register: mov has it.
std::optional<Expansion> expand_special(const Instruction& i) {
  std::string types;
  for (const Modifier one : i.modifiers) types += fmt::format(".{}", ptx::info(one).word);
  ExpansionWriter w;
  w.result(fmt::format("b{}", bits_of(i.type())), "%d", i.operands[0]);
  w.argument(fmt::format("b{}", bits_of(i.type(1))), "%a", i.operands[1]);
  w.add("cvt{} %d, %a;", types);
  return w.finish();
}

}  // namespace

std::optional<Expansion> expand_cvt(const Instruction& i) {
  if (i.type() == Modifier::Tf32) return expand_tf32(i);
  if (const SmallFloat* to = small_float_of(i.type())) return expand_to_small(i, *to);
  if (const SmallFloat* from = small_float_of(i.type(1))) return expand_from_small(i, *from);
  if (i.type(1) == Modifier::Ue8m0x2) return expand_from_scale(i);
  const bool is_special = i.operands.size() == 2 && i.operands[1].kind == Kind::SpecialRegister;
  return is_special && i.type(1) != Modifier::Unknown ? expand_special(i) : std::nullopt;
}

/// cvt.pack.sat: two integers, saturated, below what is left of the third operand.
std::optional<Expansion> expand_cvt_pack(const Instruction& i) {
  const unsigned bits = bits_of(i.type());
  const bool has_third = bits < 16;
  if (bits > 16 || !i.has(Modifier::Sat) || i.type(1) != Modifier::S32 ||
      i.operands.size() != (has_third ? 4 : 3))
    return std::nullopt;
  ExpansionWriter w;
  w.result("b32", "%d", i.operands[0]);
  w.argument("b32", "%a", i.operands[1]);
  w.argument("b32", "%b", i.operands[2]);
  if (has_third) w.argument("b32", "%c", i.operands[3]);
  w.add(".reg .b32 %x, %y;");
  saturate(w, "%x", "%a", bits, is_signed(i.type()));
  saturate(w, "%y", "%b", bits, is_signed(i.type()));
  w.add("shl.b32 %x, %x, {};\nor.b32 %y, %y, %x;", bits);
  if (has_third) w.add("shl.b32 %x, %c, {};\nor.b32 %y, %y, %x;", 2 * bits);
  w.add("mov.b32 %d, %y;");
  return w.finish();
}

}  // namespace heddle::lower
