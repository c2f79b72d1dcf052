// Integer instructions without a row of the IR: saturated high products, narrow and wide sums of differences,
// the n-th bit that is set, and LOP3 with a predicate.
#include "isa/lower/expand.h"
#include "isa/lower/expansion_writer.h"
#include "isa/lower/kinds.h"

namespace heddle::lower {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;

/// mad.hi.sat.s32 and mad24.hi.sat.s32: the sum is clamped.
std::optional<Expansion> expand_mad(const Instruction& i) {
  if (!i.has(Modifier::Sat) || !i.has(Modifier::Hi) || i.type() != Modifier::S32 || i.operands.size() != 4)
    return std::nullopt;
  ExpansionWriter w;
  w.result("b32", "%d", i.operands[0]);
  w.argument("b32", "%a", i.operands[1]);
  w.argument("b32", "%b", i.operands[2]);
  w.argument("b32", "%c", i.operands[3]);
  w.add(".reg .b32 %t;\n{}.hi.s32 %t, %a, %b;\nadd.sat.s32 %d, %t, %c;",
        i.opcode == Opcode::Mad24 ? "mul24" : "mul");
  return w.finish();
}

/// sad of 16 and 64 bits.
std::optional<Expansion> expand_sad(const Instruction& i) {
  const unsigned bits = bits_of(i.type());
  if ((bits != 16 && bits != 64) || i.operands.size() != 4) return std::nullopt;
  const auto type = fmt::format("b{}", bits);
  const std::string_view word = ptx::info(i.type()).word;
  ExpansionWriter w;
  w.result(type, "%d", i.operands[0]);
  w.argument(type, "%a", i.operands[1]);
  w.argument(type, "%b", i.operands[2]);
  w.argument(type, "%c", i.operands[3]);
  w.add(".reg .{} %x, %y;\nmax.{} %x, %a, %b;\nmin.{} %y, %a, %b;", type, word, word);
  w.add("sub.{0} %x, %x, %y;\nadd.{0} %d, %x, %c;", word);
  return w.finish();
}

/// From the base on, up or down: the bit that is the offset-th of those that are set. Ones where there is
/// none.
std::optional<Expansion> expand_fns(const Instruction& i) {
  if (i.type() != Modifier::B32 || i.operands.size() != 4) return std::nullopt;
  ExpansionWriter w;
  w.result("b32", "%d", i.operands[0]);
  w.argument("b32", "%mask", i.operands[1]);
  w.argument("b32", "%base", i.operands[2]);
  w.argument("b32", "%offset", i.operands[3]);
  w.add(R"(.reg .b32 %at, %left, %step, %bit, %found;
.reg .pred %p, %alone;
mov.b32 %found, -1;
mov.b32 %at, %base;
abs.s32 %left, %offset;
setp.eq.s32 %alone, %left, 0;
setp.gt.s32 %p, %offset, 0;
selp.b32 %step, 1, -1, %p;
NEXT:
setp.gt.u32 %p, %at, 31;
@%p bra DONE;
shr.u32 %bit, %mask, %at;
and.b32 %bit, %bit, 1;
sub.u32 %left, %left, %bit;
setp.le.s32 %p, %left, 0;
setp.ne.and.b32 %p, %bit, 0, %p;
@%p mov.b32 %found, %at;
@%p bra DONE;
add.u32 %at, %at, %step;
@!%alone bra NEXT;
DONE:
mov.b32 %d, %found;)");
  return w.finish();
}

/// lop3.and and lop3.or: whether bits are left, and what the last operand says.
std::optional<Expansion> expand_lop3(const Instruction& i) {
  const bool combines = i.has(Modifier::And) || i.has(Modifier::Or);
  if (!combines || i.operands.size() != 6 || i.operands[0].kind != ptx::Operand::Kind::Pair)
    return std::nullopt;
  if (i.operands[4].kind != ptx::Operand::Kind::Integer) return std::nullopt;
  ExpansionWriter w;
  w.result("b32", "%d", i.operands[0].elements[0]);
  w.result("pred", "%p", i.operands[0].elements[1]);
  w.argument("b32", "%a", i.operands[1]);
  w.argument("b32", "%b", i.operands[2]);
  w.argument("b32", "%c", i.operands[3]);
  w.argument("pred", "%q", i.operands[5]);
  w.add("lop3.b32 %d, %a, %b, %c, {};\nsetp.ne.{}.b32 %p, %d, 0, %q;", i.operands[4].bits,
        i.has(Modifier::And) ? "and" : "or");
  return w.finish();
}

}  // namespace heddle::lower
