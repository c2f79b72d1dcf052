// Scalar video instructions: parts of words, signed sums of 64 bits, saturation, and a second operation or a
// merge. After the pseudocode of the PTX ISA, "Scalar Video Instructions".
#include "isa/lower/expand.h"
#include "isa/lower/expansion_writer.h"
#include "isa/lower/kinds.h"

namespace heddle::lower {

namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;

using ptx::Selector;

unsigned part_bits(const Selector& selector) {
  return selector.count == 0 ? 32 : selector.unit == 'b' ? 8 : 16;
}

/// One byte or one half of a word, or all of it.
bool is_scalar(const Selector& selector) {
  return selector.count == 0 || (selector.count == 1 && selector.parts[0] < 32 / part_bits(selector));
}

/// A part of a word as a number of 64 bits.
void extract(ExpansionWriter& w, const char* to, const char* from, Modifier type, const Selector& selector) {
  const char sign = is_signed(type) ? 's' : 'u';
  if (selector.count == 0) return w.add("cvt.s64.{}32 {}, {};", sign, to, from);
  const unsigned bits = part_bits(selector);
  w.add("bfe.{}32 %part, {}, {}, {};", sign, from, selector.parts[0] * bits, bits);
  w.add("cvt.s64.{}32 {}, %part;", sign, to);
}

const char* word_of(Modifier type) { return is_signed(type) ? "s32" : "u32"; }

void clamp(ExpansionWriter& w, bool has_sign, unsigned bits) {
  const std::int64_t least = has_sign ? -(std::int64_t{1} << (bits - 1)) : 0;
  const std::int64_t most = (std::int64_t{1} << (bits - (has_sign ? 1 : 0))) - 1;
  w.add("max.s64 %t, %t, {};\nmin.s64 %t, %t, {};", least, most);
}

/// A shift by 32 places may leave 64 bits: what is so great is saturated in any case, or its low word is 0.
void shift_left(ExpansionWriter& w) {
  w.add(R"(min.u32 %n, %n, 32;
min.u32 %part, %n, 31;
shl.b64 %t, %ta, %part;
setp.eq.u32 %p, %n, 32;
@%p max.s64 %t, %t, -0x10000000000;
@%p min.s64 %t, %t, 0x10000000000;
@%p shl.b64 %t, %t, 1;)");
}

void shift(ExpansionWriter& w, const Instruction& i) {
  w.add(".reg .b32 %n;\n.reg .pred %p;\ncvt.u32.u64 %n, %tb;");
  if (i.has(Modifier::Wrap)) w.add("and.b32 %n, %n, 31;");
  if (i.opcode == Opcode::Vshl) return shift_left(w);
  w.add("min.u32 %n, %n, 32;\nshr.s64 %t, %ta, %n;");
}

void compare(ExpansionWriter& w, const Instruction& i) {
  w.add(".reg .pred %p;");
  for (const Modifier how :
       {Modifier::Eq, Modifier::Ne, Modifier::Lt, Modifier::Le, Modifier::Gt, Modifier::Ge}) {
    if (i.has(how)) w.add("setp.{}.s64 %p, %ta, %tb;", ptx::info(how).word);
  }
  w.add("selp.b64 %t, 1, 0, %p;");
}

void combine(ExpansionWriter& w, const Instruction& i) {
  switch (i.opcode) {
    case Opcode::Vadd:
      return w.add("add.s64 %t, %ta, %tb;");
    case Opcode::Vsub:
      return w.add("sub.s64 %t, %ta, %tb;");
    case Opcode::Vabsdiff:
      return w.add("sub.s64 %t, %ta, %tb;\nabs.s64 %t, %t;");
    case Opcode::Vmin:
      return w.add("min.s64 %t, %ta, %tb;");
    case Opcode::Vmax:
      return w.add("max.s64 %t, %ta, %tb;");
    case Opcode::Vset:
      return compare(w, i);
    default:
      return shift(w, i);
  }
}

bool has_second(const Instruction& i) {
  return i.has(Modifier::Add) || i.has(Modifier::Min) || i.has(Modifier::Max);
}

void finish_result(ExpansionWriter& w, const Instruction& i, Modifier type) {
  const Selector& to = i.operands[0].selector;
  w.add("cvt.u32.u64 %d, %t;");
  if (to.count != 0) {
    w.add("bfi.b32 %d, %d, %c, {}, {};", to.parts[0] * part_bits(to), part_bits(to));
  } else if (i.has(Modifier::Add)) {
    w.add("add.u32 %d, %d, %c;");
  } else if (has_second(i)) {
    w.add("{}.{} %d, %d, %c;", i.has(Modifier::Min) ? "min" : "max", word_of(type));
  }
}

/// Whether the operands are those of a form that exists.
bool is_form(const Instruction& i, std::size_t types) {
  const bool wants_third = i.operands.size() == 4;
  if (i.operands.size() != 3 && !wants_third) return false;
  for (const ptx::Operand& operand : i.operands) {
    if (!is_scalar(operand.selector)) return false;
  }
  for (std::size_t k = 0; k < types; ++k) {
    if (i.type(k) != Modifier::U32 && i.type(k) != Modifier::S32) return false;
  }
  const bool merges = i.operands[0].selector.count != 0;
  return wants_third == (merges != has_second(i));
}

}  // namespace

std::optional<Expansion> expand_video(const Instruction& i) {
  const bool compares = i.opcode == Opcode::Vset;
  if (!is_form(i, compares ? 2 : 3)) return std::nullopt;
  const Modifier type = compares ? Modifier::U32 : i.type();
  ExpansionWriter w;
  w.result("b32", "%d", i.operands[0]);
  w.argument("b32", "%a", whole(i.operands[1]));
  w.argument("b32", "%b", whole(i.operands[2]));
  if (i.operands.size() == 4) w.argument("b32", "%c", whole(i.operands[3]));
  w.add(".reg .b32 %part;\n.reg .b64 %ta, %tb, %t;");
  extract(w, "%ta", "%a", i.type(compares ? 0 : 1), i.operands[1].selector);
  extract(w, "%tb", "%b", i.type(compares ? 1 : 2), i.operands[2].selector);
  combine(w, i);
  if (i.has(Modifier::Sat)) clamp(w, is_signed(type), part_bits(i.operands[0].selector));
  finish_result(w, i, type);
  return w.finish();
}

/// The product and the sum have 64 bits and a little more; a shift of 7 or 15 places takes the bits from
/// there. So they are computed as 96 bits: %t and %x above it.
std::optional<Expansion> expand_video_product(const Instruction& i) {
  if (i.operands.size() != 4 || !is_scalar(i.operands[1].selector) || !is_scalar(i.operands[2].selector))
    return std::nullopt;
  if (i.operands[0].selector.count != 0 || i.operands[3].selector.count != 0) return std::nullopt;
  const bool negates_product = i.operands[1].negated != i.operands[2].negated;
  const bool negates_sum = i.operands[3].negated;
  const bool has_sign = is_signed(i.type(1)) || is_signed(i.type(2)) || negates_product || negates_sum;
  const bool adds_one = i.has(Modifier::Po) || negates_product || negates_sum;
  ExpansionWriter w;
  const auto positive = [](const ptx::Operand& operand) {
    ptx::Operand made = whole(operand);
    made.negated = false;
    return made;
  };
  w.result("b32", "%d", i.operands[0]);
  w.argument("b32", "%a", positive(i.operands[1]));
  w.argument("b32", "%b", positive(i.operands[2]));
  w.argument("b32", "%c", positive(i.operands[3]));
  w.add(".reg .b32 %part;\n.reg .b64 %ta, %tb, %t, %tc, %x, %xc;\n.reg .pred %p;");
  extract(w, "%ta", "%a", i.type(1), i.operands[1].selector);
  extract(w, "%tb", "%b", i.type(2), i.operands[2].selector);
  w.add("mul.lo.s64 %t, %ta, %tb;\nmul.hi.s64 %x, %ta, %tb;");
  if (negates_product && !i.has(Modifier::Po)) {
    w.add("not.b64 %t, %t;\nnot.b64 %x, %x;");
  } else if (negates_sum) {
    w.add("not.b32 %c, %c;");
  }
  w.add("cvt.s64.{} %tc, %c;\nshr.s64 %xc, %tc, 63;", has_sign ? "s32" : "u32");
  w.add("add.cc.u64 %t, %t, %tc;\naddc.u64 %x, %x, %xc;");
  if (adds_one) w.add("add.cc.u64 %t, %t, 1;\naddc.u64 %x, %x, 0;");
  const unsigned places = i.has(Modifier::Shr7) ? 7 : i.has(Modifier::Shr15) ? 15 : 0;
  if (places != 0) {
    w.add("shr.u64 %t, %t, {0};\nshl.b64 %tc, %x, {1};\nor.b64 %t, %t, %tc;\nshr.s64 %x, %x, {0};", places,
          64 - places);
  }
  if (i.has(Modifier::Sat) && has_sign) {
    clamp(w, true, 32);
  } else if (i.has(Modifier::Sat)) {
    w.add("min.u64 %t, %t, 0xffffffff;");
  }
  w.add("cvt.u32.u64 %d, %t;");
  return w.finish();
}

}  // namespace heddle::lower
