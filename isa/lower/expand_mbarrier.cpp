// Mbarriers before compute capability 9.0 (select_mbarrier.cpp has them from there on): 64 bits in shared memory, which atomics change.
//
//   bits 0 to 19   arrivals that the phase still waits for
//   bits 20 to 39  arrivals that end a phase
//   bit 41         the phase's parity
//   bits 42 to 63  bytes that are announced and have not come, a signed number
//
// What changes one is a sum of 64 bits; a phase is over when the first and the last field are zero.
#include "isa/lower/expand.h"
#include "isa/lower/expansion_writer.h"
#include "isa/lower/kinds.h"
#include "isa/lower/mbarrier.h"

namespace heddle::lower {

namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using Kind = ptx::Operand::Kind;

const char* release_of(const Instruction& i) {
  return i.has(Modifier::Relaxed) ? ".relaxed.cta" : ".release.cta";
}

/// The lanes that arrive at one mbarrier together do it by one of them: %delta is as many times what each
/// adds, and %before is what those of the lanes below add.
void gather_lanes(ExpansionWriter& w) {
  w.add(R"(.reg .b32 %active, %same, %lanes, %place, %leader, %lane, %wl, %wh;
.reg .b64 %before;
.reg .pred %leads;
activemask.b32 %active;
match.any.sync.b32 %same, %at, %active;
popc.b32 %lanes, %same;
mov.u32 %lane, %lanemask_lt;
and.b32 %place, %same, %lane;
popc.b32 %place, %place;
brev.b32 %leader, %same;
bfind.shiftamt.u32 %leader, %leader;
cvt.u64.u32 %before, %place;
mul.lo.u64 %before, %before, %delta;
cvt.u64.u32 %old, %lanes;
mul.lo.u64 %delta, %delta, %old;
setp.eq.u32 %leads, %place, 0;
mov.b64 %old, 0;
@!%leads bra HAVE;)");
}

void tell_lanes(ExpansionWriter& w) {
  w.add(R"(HAVE:
mov.b64 {{%wl, %wh}}, %old;
shfl.sync.idx.b32 %wl, %wl, %leader, 31, %active;
shfl.sync.idx.b32 %wh, %wh, %leader, 31, %active;
mov.b64 %old, {{%wl, %wh}};
add.u64 %old, %old, %before;)");
}

/// arrive and arrive_drop: [mbarrier], a count or, with .expect_tx, bytes.
std::optional<Expansion> expand_arrival(const Instruction& i) {
  const bool expects = i.has(Modifier::ExpectTx);
  if (i.operands.size() < 2 || i.operands.size() > 3 || (expects && i.operands.size() != 3))
    return std::nullopt;
  ExpansionWriter w;
  const bool returns = i.operands[0].kind != Kind::Sink;
  if (returns) w.result("b64", "%d", i.operands[0]);
  const auto offset = w.shared_address("%at", i.operands[1]);
  if (!offset) return std::nullopt;
  const bool has_number = i.operands.size() == 3;
  if (has_number) w.argument("b32", "%n", i.operands[2]);
  const std::int64_t each = i.opcode == Opcode::MbarrierArriveDrop ? 0x100001 : 1;
  declare_mbarrier_update(w);
  if (expects) {
    w.add("cvt.u64.u32 %delta, %n;\nshl.b64 %delta, %delta, 42;\nsub.u64 %delta, %delta, {};", each);
  } else if (has_number) {
    w.add("cvt.u64.u32 %delta, %n;\nmul.lo.s64 %delta, %delta, {};", -each);
  } else {
    w.add("mov.b64 %delta, {};", -each);
    gather_lanes(w);
  }
  update_mbarrier(w, *offset, release_of(i));
  if (!has_number) tell_lanes(w);
  if (returns) w.add("mov.b64 %d, %old;");
  return w.finish();
}

/// Bytes that will come, or have.
std::optional<Expansion> expand_transaction(const Instruction& i) {
  if (i.operands.size() != 2) return std::nullopt;
  ExpansionWriter w;
  const auto offset = w.shared_address("%at", i.operands[0]);
  if (!offset) return std::nullopt;
  w.argument("b32", "%n", i.operands[1]);
  declare_mbarrier_update(w);
  w.add("cvt.u64.u32 %delta, %n;\nshl.b64 %delta, %delta, 42;");
  if (i.opcode == Opcode::MbarrierCompleteTx) w.add("neg.s64 %delta, %delta;");
  update_mbarrier(w, *offset, ".relaxed.cta");
  return w.finish();
}

std::optional<Expansion> expand_init(const Instruction& i) {
  if (i.operands.size() != 2) return std::nullopt;
  ExpansionWriter w;
  const auto offset = w.shared_address("%at", i.operands[0]);
  if (!offset) return std::nullopt;
  w.argument("b32", "%n", i.operands[1]);
  w.add(R"(.reg .b64 %x, %y;
cvt.u64.u32 %x, %n;
shl.b64 %y, %x, 20;
or.b64 %x, %x, %y;
st.shared.b64 [%at+{}], %x;)",
        *offset);
  return w.finish();
}

/// Whether the phase of a state, or the last one of a parity, is over. What may wait does not: programs ask
/// again.
std::optional<Expansion> expand_test(const Instruction& i) {
  if (i.operands.size() < 3 || i.operands.size() > 4) return std::nullopt;
  const bool has_parity = i.has(Modifier::Parity);
  ExpansionWriter w;
  w.result("pred", "%d", i.operands[0]);
  const auto offset = w.shared_address("%at", i.operands[1]);
  if (!offset) return std::nullopt;
  w.argument(has_parity ? "b32" : "b64", "%s", i.operands[2]);
  w.add(".reg .b64 %x, %y;\nld{}.shared.b64 %x, [%at+{}];",
        i.has(Modifier::Relaxed) ? ".relaxed.cta" : ".acquire.cta", *offset);
  if (has_parity) {
    w.add("cvt.u64.u32 %y, %s;\nshl.b64 %y, %y, 41;");
  } else {
    w.add("mov.b64 %y, %s;");
  }
  w.add("xor.b64 %x, %x, %y;\nand.b64 %x, %x, 0x20000000000;\nsetp.ne.s64 %d, %x, 0;");
  return w.finish();
}

std::optional<Expansion> expand_pending_count(const Instruction& i) {
  if (i.operands.size() != 2) return std::nullopt;
  ExpansionWriter w;
  w.result("b32", "%d", i.operands[0]);
  w.argument("b64", "%s", i.operands[1]);
  w.add("cvt.u32.u64 %d, %s;\nand.b32 %d, %d, 0xfffff;");
  return w.finish();
}

}  // namespace

void declare_mbarrier_update(ExpansionWriter& w) {
  w.add(".reg .b64 %old, %new, %seen, %t, %delta;\n.reg .pred %again;");
}

void update_mbarrier(ExpansionWriter& w, std::int64_t offset, std::string_view order) {
  w.add(R"(ld.volatile.shared.b64 %old, [%at+{0}];
AGAIN:
add.u64 %new, %old, %delta;
and.b64 %t, %new, 0xfffffc00000fffff;
setp.ne.s64 %again, %t, 0;
@%again bra GOES_ON;
shr.u64 %t, %new, 20;
and.b64 %t, %t, 0xfffff;
xor.b64 %new, %new, 0x20000000000;
or.b64 %new, %new, %t;
GOES_ON:
atom{1}.shared.cas.b64 %seen, [%at+{0}], %old, %new;
setp.ne.s64 %again, %seen, %old;
mov.b64 %old, %seen;
@%again bra AGAIN;)",
        offset, order);
}

std::optional<Expansion> expand_mbarrier(const Instruction& i) {
  switch (i.opcode) {
    case Opcode::MbarrierInit:
      return expand_init(i);
    case Opcode::MbarrierExpectTx:
    case Opcode::MbarrierCompleteTx:
      return expand_transaction(i);
    case Opcode::MbarrierArrive:
    case Opcode::MbarrierArriveDrop:
      return expand_arrival(i);
    case Opcode::MbarrierTestWait:
    case Opcode::MbarrierTryWait:
      return expand_test(i);
    case Opcode::MbarrierPendingCount:
      return expand_pending_count(i);
    default:
      return std::nullopt;
  }
}

/// Arrival when the thread's copies are done: it waits for them. Without .noinc the phase waits for one
/// arrival more, which is this one.
std::optional<Expansion> expand_arrival_of_copies(const Instruction& i) {
  if (i.operands.size() != 1) return std::nullopt;
  ExpansionWriter w;
  const auto offset = w.shared_address("%at", i.operands[0]);
  if (!offset) return std::nullopt;
  w.add("cp.async.wait_all;");
  if (i.has(Modifier::Noinc)) w.add("mbarrier.arrive.shared.b64 _, [%at+{}];", *offset);
  return w.finish();
}

}  // namespace heddle::lower
