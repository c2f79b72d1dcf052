// The least or the greatest float of a warp's lanes: by integers in the same order.
#include "isa/lower/expand.h"
#include "isa/lower/expansion_writer.h"
#include "isa/lower/kinds.h"

namespace heddle::lower {

using ptx::Instruction;
using ptx::Modifier;

/// Numbers win over NaN; with .NaN it is the other way round. -0 is less than +0.
std::optional<Expansion> expand_redux(const Instruction& i) {
  if (i.type() != Modifier::F32 || i.operands.size() != 3) return std::nullopt;
  const bool is_min = i.has(Modifier::Min);
  if (!is_min && !i.has(Modifier::Max)) return std::nullopt;
  ExpansionWriter w;
  w.result("b32", "%d", i.operands[0]);
  w.argument("b32", "%a", i.operands[1]);
  w.argument("b32", "%mask", i.operands[2]);
  w.add(".reg .b32 %x, %m, %key, %sign, %nans;\n.reg .pred %p, %nan;\nmov.b32 %x, %a;");
  if (i.has(Modifier::Abs)) w.add("and.b32 %x, %x, 0x7fffffff;");
  w.add(R"(and.b32 %m, %x, 0x7fffffff;
setp.gt.u32 %nan, %m, 0x7f800000;
shr.s32 %sign, %x, 31;
or.b32 %sign, %sign, 0x80000000;
xor.b32 %key, %x, %sign;
selp.b32 %key, {}, %key, %nan;
selp.b32 %nans, 1, 0, %nan;
redux.sync.{}.u32 %key, %key, %mask;
redux.sync.{}.b32 %nans, %nans, %mask;
setp.ne.b32 %nan, %nans, 0;
shr.s32 %sign, %key, 31;
not.b32 %sign, %sign;
or.b32 %sign, %sign, 0x80000000;
xor.b32 %x, %key, %sign;
selp.b32 %d, 0x7fffffff, %x, %nan;)",
        is_min ? "0xffffffff" : "0", is_min ? "min" : "max", i.has(Modifier::PropagateNan) ? "or" : "and");
  return w.finish();
}

}  // namespace heddle::lower
