// Sums and products that have float results of 16-bit operands, which are floats exactly.
#include "isa/lower/expand.h"
#include "isa/lower/expansion_writer.h"
#include "isa/lower/kinds.h"

namespace heddle::lower {

using ptx::Instruction;
using ptx::Modifier;

std::optional<Expansion> expand_mixed_float(const Instruction& i) {
  const Modifier narrow = i.type(1);
  const bool is_mixed = i.type() == Modifier::F32 && (narrow == Modifier::F16 || narrow == Modifier::Bf16);
  const std::size_t count = i.opcode == ptx::Opcode::Fma ? 4 : 3;
  if (!is_mixed || i.operands.size() != count) return std::nullopt;
  ExpansionWriter w;
  w.result("b32", "%d", i.operands[0]);
  w.argument("b16", "%a", i.operands[1]);
  w.argument(count == 4 ? "b16" : "b32", "%b", i.operands[2]);
  w.add(".reg .f32 %x, %y;\ncvt.f32.{} %x, %a;", ptx::info(narrow).word);
  std::string modifiers;
  for (const Modifier one : {Modifier::Rn, Modifier::Rz, Modifier::Rm, Modifier::Rp, Modifier::Sat}) {
    if (i.has(one)) modifiers += fmt::format(".{}", ptx::info(one).word);
  }
  const bool subtracts = i.opcode == ptx::Opcode::Sub;
  if (count == 4) {
    w.argument("b32", "%c", i.operands[3]);
    w.add("cvt.f32.{} %y, %b;\nfma{}.f32 %d, %x, %y, %c;", ptx::info(narrow).word, modifiers);
  } else {
    w.add("{}{}.f32 %d, %x, %b;", subtracts ? "sub" : "add", modifiers);
  }
  return w.finish();
}

}  // namespace heddle::lower
