// Video instructions on two halves or four bytes, with a merge or a sum of what they give. After the
// pseudocode of the PTX ISA, "SIMD Video Instructions".
#include "isa/lower/expand.h"
#include "isa/lower/expansion_writer.h"
#include "isa/lower/kinds.h"

namespace heddle::lower {

namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Selector;

bool is_of_bytes(Opcode opcode) {
  switch (opcode) {
    case Opcode::Vadd4:
    case Opcode::Vsub4:
    case Opcode::Vavrg4:
    case Opcode::Vabsdiff4:
    case Opcode::Vmin4:
    case Opcode::Vmax4:
    case Opcode::Vset4:
      return true;
    default:
      return false;
  }
}

bool compares(Opcode opcode) { return opcode == Opcode::Vset2 || opcode == Opcode::Vset4; }

/// Which part of the pair of words {a, b} is number `part` of the source: parts of b follow those of a.
/// Selectors name the highest first.
unsigned chosen(const Selector& selector, unsigned part, unsigned parts, bool is_second) {
  if (selector.count == 0) return part + (is_second ? parts : 0);
  return selector.parts[parts - 1 - part];
}

bool is_written(const Selector& mask, unsigned part) {
  if (mask.count == 0) return true;
  for (unsigned k = 0; k < mask.count; ++k) {
    if (mask.parts[k] == part) return true;
  }
  return false;
}

void combine(ExpansionWriter& w, const Instruction& i) {
  switch (i.opcode) {
    case Opcode::Vadd2:
    case Opcode::Vadd4:
      return w.add("add.s32 %t, %x, %y;");
    case Opcode::Vsub2:
    case Opcode::Vsub4:
      return w.add("sub.s32 %t, %x, %y;");
    case Opcode::Vavrg2:
    case Opcode::Vavrg4:  // rounded away from zero
      return w.add("add.s32 %t, %x, %y;\nsetp.ge.s32 %p, %t, 0;\n@%p add.s32 %t, %t, 1;\nshr.s32 %t, %t, 1;");
    case Opcode::Vabsdiff2:
    case Opcode::Vabsdiff4:
      return w.add("sub.s32 %t, %x, %y;\nabs.s32 %t, %t;");
    case Opcode::Vmin2:
    case Opcode::Vmin4:
      return w.add("min.s32 %t, %x, %y;");
    case Opcode::Vmax2:
    case Opcode::Vmax4:
      return w.add("max.s32 %t, %x, %y;");
    default:
      break;
  }
  for (const Modifier how :
       {Modifier::Eq, Modifier::Ne, Modifier::Lt, Modifier::Le, Modifier::Gt, Modifier::Ge}) {
    if (i.has(how)) w.add("setp.{}.s32 %p, %x, %y;", ptx::info(how).word);
  }
  w.add("selp.b32 %t, 1, 0, %p;");
}

bool is_form(const Instruction& i, unsigned parts) {
  const std::size_t types = compares(i.opcode) ? 2 : 3;
  for (std::size_t k = 0; k < types; ++k) {
    if (i.type(k) != Modifier::U32 && i.type(k) != Modifier::S32) return false;
  }
  if (i.operands.size() != 4 || i.operands[3].selector.count != 0) return false;
  const char unit = parts == 4 ? 'b' : 'h';
  for (std::size_t k = 0; k < 3; ++k) {
    const Selector& selector = i.operands[k].selector;
    if (selector.count == 0) continue;
    const unsigned most = k == 0 ? parts : 2 * parts;
    if (selector.unit != unit || (k != 0 && selector.count != parts)) return false;
    for (unsigned n = 0; n < selector.count; ++n) {
      if (selector.parts[n] >= most) return false;
    }
  }
  return !i.operands[1].negated && !i.operands[2].negated && !i.operands[3].negated;
}

void extract(ExpansionWriter& w, const char* to, Modifier type, unsigned part, unsigned parts) {
  const unsigned bits = 32 / parts;
  w.add("bfe.{}32 {}, {}, {}, {};", is_signed(type) ? 's' : 'u', to, part < parts ? "%a" : "%b",
        part % parts * bits, bits);
}

/// GPUs have an instruction for distances of unsigned bytes.
bool has_instruction(const Instruction& i) {
  if (i.opcode != Opcode::Vabsdiff4 || i.has(Modifier::Sat)) return false;
  for (std::size_t k = 0; k < 3; ++k) {
    if (i.type(k) != Modifier::U32 || i.operands[k].selector.count != 0) return false;
  }
  return true;
}

}  // namespace

std::optional<Expansion> expand_video_parts(const Instruction& i) {
  const unsigned parts = is_of_bytes(i.opcode) ? 4 : 2;
  if (!is_form(i, parts) || has_instruction(i)) return std::nullopt;
  const unsigned bits = 32 / parts;
  const std::size_t first = compares(i.opcode) ? 0 : 1;
  const bool has_sign = !compares(i.opcode) && is_signed(i.type());
  ExpansionWriter w;
  w.result("b32", "%d", i.operands[0]);
  w.argument("b32", "%a", whole(i.operands[1]));
  w.argument("b32", "%b", whole(i.operands[2]));
  w.argument("b32", "%c", i.operands[3]);
  w.add(".reg .b32 %x, %y, %t, %made;\n.reg .pred %p;\nmov.b32 %made, %c;");
  for (unsigned part = 0; part < parts; ++part) {
    if (!is_written(i.operands[0].selector, part)) continue;
    extract(w, "%x", i.type(first), chosen(i.operands[1].selector, part, parts, false), parts);
    extract(w, "%y", i.type(first + 1), chosen(i.operands[2].selector, part, parts, true), parts);
    combine(w, i);
    if (i.has(Modifier::Sat)) {
      const int least = has_sign ? -(1 << (bits - 1)) : 0;
      const int most = (1 << (bits - (has_sign ? 1 : 0))) - 1;
      w.add("max.s32 %t, %t, {};\nmin.s32 %t, %t, {};", least, most);
    }
    if (i.has(Modifier::Add)) {
      w.add("add.u32 %made, %made, %t;");
    } else {
      w.add("bfi.b32 %made, %t, %made, {}, {};", part * bits, bits);
    }
  }
  w.add("mov.b32 %d, %made;");
  return w.finish();
}

}  // namespace heddle::lower
