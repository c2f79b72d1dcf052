// The timing view of instructions.
#include "isa/stream/static_op.h"

#include <set>

#include "isa/stream/warp_source.h"
#include "isa/text/assemble.h"
#include "tests/support/catch.h"

namespace heddle::stream {
namespace {

StaticOp op_of(const std::string& line) {
  const auto kernels = text::assemble(".kernel k\n.param p ptr\n" + line + "\nend: EXIT\n", "k.sass");
  return make_static_op(kernels[0].instructions[0], 7);
}

std::set<ir::RegisterSlot> set_of(const ir::SlotList& list) { return {list.begin(), list.end()}; }

constexpr ir::RegisterSlot r(unsigned index) {
  return static_cast<ir::RegisterSlot>(ir::kFirstRegister + index);
}

TEST_CASE("arithmetic computes in its pipe and asks for nothing else") {
  const StaticOp op = op_of("FFMA R1, R2, R3, R1");
  CHECK(op.pc == 7);
  CHECK(op.timing_class == ir::TimingClass::Fp32);
  CHECK(op.kind == OpKind::Compute);
  CHECK(op.space == MemorySpace::None);
  CHECK(op.bytes_per_lane == 0);
  CHECK_FALSE(op.may_branch);
  CHECK(set_of(op.waits_for) == std::set{r(1), r(2), r(3)});
  CHECK(set_of(op.writes) == std::set{r(1)});
}

TEST_CASE("an instruction waits for what it reads and for what it overwrites") {
  const StaticOp op = op_of("@P1 ISETP.LT.AND P0, PT, R5, R6, P2");
  const auto p = [](unsigned index) { return static_cast<ir::RegisterSlot>(ir::kPredicateSlots + index); };
  const auto guard = [](unsigned index) { return static_cast<ir::RegisterSlot>(ir::kGuardSlots + index); };
  CHECK(set_of(op.waits_for) == std::set{guard(1), r(5), r(6), p(2), p(0)});
  CHECK(set_of(op.writes) == std::set{p(0), guard(0)});
}

TEST_CASE("what only makes one register busy is told from what does more") {
  for (const char* line :
       {"FFMA R1, R2, R3, R1", "@P1 IADD3 R1, R2, R3, R1", "S2R R1, SR_TID.X", "MUFU.RCP R1, R2"}) {
    CAPTURE(line);
    CHECK(op_of(line).only_result == r(1));
  }
  for (const char* line : {"ISETP.LT.AND P0, PT, R5, R6, PT", "IMAD.WIDE R2, R4, R5, R6", "LDG.E R1, [R2.64]",
                           "LDC R1, c[blockDim.x]", "SHFL.BFLY PT, R1, R2, 0x1, 0x1f", "BRA end",
                           "STS [R2], R4", "BAR.SYNC 0x0", "NOP", "EXIT", "MOV RZ, R1"}) {
    CAPTURE(line);
    CHECK(op_of(line).only_result == ir::kNeverWritten);
  }
}

TEST_CASE("what waits for few registers is told from what waits for more") {
  for (const char* line :
       {"FFMA R1, R2, R3, R4", "MOV R1, c[blockDim.x]", "BRA end", "NOP", "BAR.SYNC 0x0"}) {
    CAPTURE(line);
    CHECK(op_of(line).waits_for_few);
  }
  for (const char* line :
       {"@P1 FFMA R1, R2, R3, R4", "STG.E.128 [R2.64], R4", "EXIT", "DEPBAR.LE SB0, 0x1", "MEMBAR.SC.GPU"}) {
    CAPTURE(line);
    CHECK_FALSE(op_of(line).waits_for_few);
  }
}

TEST_CASE("registers that are read from banks are no small matter") {
  const auto kernels = text::assemble(".kernel k\n.banked\nFFMA R1, R2, R3, R4\nEXIT\n", "k.sass");
  const std::vector<StaticOp> ops = make_static_ops(kernels[0]);
  CHECK(ops[0].register_reads.is_timed);
  CHECK(ops[0].only_result == ir::kNeverWritten);
}

TEST_CASE("loads and stores say their space and width") {
  struct Case {
    const char* line;
    OpKind kind;
    MemorySpace space;
    unsigned bytes;
    ir::TimingClass timing_class;
  };
  const Case cases[] = {
      {"LDG.E R0, [R2.64]", OpKind::Load, MemorySpace::Global, 4, ir::TimingClass::LoadGlobal},
      {"LDG.E.64 R0, [R2.64]", OpKind::Load, MemorySpace::Global, 8, ir::TimingClass::LoadGlobal},
      {"LDG.E.128 R0, [R2.64]", OpKind::Load, MemorySpace::Global, 16, ir::TimingClass::LoadGlobal},
      {"STG.E.64 [R2.64], R4", OpKind::Store, MemorySpace::Global, 8, ir::TimingClass::StoreGlobal},
      {"LDS.128 R0, [R2]", OpKind::Load, MemorySpace::Shared, 16, ir::TimingClass::LoadShared},
      {"LDSM.16.MT88.2 R0, [R2]", OpKind::Load, MemorySpace::Shared, 16, ir::TimingClass::LoadShared},
      {"STS [R2], R4", OpKind::Store, MemorySpace::Shared, 4, ir::TimingClass::StoreShared},
  };
  for (const Case& one : cases) {
    CAPTURE(one.line);
    const StaticOp op = op_of(one.line);
    CHECK(op.kind == one.kind);
    CHECK(op.space == one.space);
    CHECK(op.bytes_per_lane == one.bytes);
    CHECK(op.timing_class == one.timing_class);
  }
}

TEST_CASE("a constant load is no memory operation") {
  const StaticOp op = op_of("LDC.64 R0, c[p]");
  CHECK(op.kind == OpKind::Compute);
  CHECK(op.space == MemorySpace::None);
  CHECK(op.bytes_per_lane == 0);
  CHECK(op.timing_class == ir::TimingClass::LoadConstant);
}

TEST_CASE("with a control code an instruction waits for barriers, and for no register") {
  const auto obeying = [](const std::string& code, const std::string& instruction) {
    const ir::Kernel kernel =
        text::assemble(".kernel k\n[" + code + "] " + instruction + "\n[B------:R-:W-:-:S05] EXIT\n", "").front();
    std::vector<StaticOp> ops = make_static_ops(kernel);
    CHECK_FALSE(ops.front().has_control_code());
    obey_control_codes(kernel, ops);
    return ops.front();
  };
  const StaticOp load = obeying("B0--3-5:R1:W4:-:S06", "LDG.E R1, [R2.64]");
  CHECK(load.has_control_code());
  CHECK(load.stall == 6);
  CHECK(set_of(load.waits_for) == std::set<ir::RegisterSlot>{0, 3, 5});
  CHECK(set_of(load.writes) == std::set<ir::RegisterSlot>{4});
  CHECK(load.has_result());
  CHECK(load.until_read == 1);
  const StaticOp add = obeying("B------:R-:W-:Y:S01", "FFMA R1, R2, R3, R1");
  CHECK(add.stall == 2);
  CHECK(add.waits_for.size() == 0);
  CHECK(add.writes.size() == 0);
  CHECK(add.has_result());
  CHECK(add.until_read == ir::kNoBarrier);
  CHECK(add.only_result == ir::kNeverWritten);
  // Nobody says when a store is done.
  const StaticOp store = obeying("B------:R2:W0:-:S00", "STG.E [R2.64], R1");
  CHECK(store.stall == 1);
  CHECK(store.writes.size() == 0);
  CHECK_FALSE(store.has_result());
  CHECK(store.until_read == 2);
  // The barrier of groups of copies, if all must be done.
  const std::string copies = "\n[B------:R-:W0:-:S01] LDGDEPBAR";
  const auto waits = [&](const std::string& lines) { return set_of(obeying("B-1----:R-:W-:-:S01", lines).waits_for); };
  CHECK(waits("DEPBAR.LE SB0, 0x0" + copies) == std::set<ir::RegisterSlot>{0, 1});
  CHECK(waits("DEPBAR.LE SB0, 0x1" + copies) == std::set<ir::RegisterSlot>{1});
  // One that no copies raise is waited for, however many of its fetches may be under way.
  CHECK(waits("DEPBAR.LE SB5, 0x3" + copies) == std::set<ir::RegisterSlot>{1, 5});
  CHECK(waits("DEPBAR.LE SB0, 0x1") == std::set<ir::RegisterSlot>{0, 1});
  CHECK(obeying("B------:R-:W-:-:S01", "DEPBAR.LE SB5, 0x3" + copies).kind == OpKind::Compute);
}

TEST_CASE("branches, barriers and exits are what they are") {
  CHECK(op_of("BRA end").may_branch);
  CHECK(op_of("@P0 BRA end").may_branch);
  CHECK(op_of("BRA end").kind == OpKind::Compute);
  CHECK_FALSE(op_of("@P0 EXIT").may_branch);
  CHECK(op_of("@P0 EXIT").kind == OpKind::Exit);
  CHECK(op_of("BAR.SYNC 0x0").kind == OpKind::Barrier);
  CHECK(op_of("BAR.ARV 0x1, 0x40").kind == OpKind::BarrierArrive);
  CHECK(op_of("BAR.RED.POPC 0x1, P0").kind == OpKind::BarrierReduce);
  CHECK(op_of("NOP").timing_class == ir::TimingClass::Nop);
}

TEST_CASE("strong loads of more than the block do not come from L1") {
  for (const char* load : {"LDG.E.STRONG.GPU R4, [R2.64]", "LDG.E.64.STRONG.SYS R4, [R2.64]"}) {
    INFO(load);
    CHECK(op_of(load).past_l1);
  }
  for (const char* other : {"LDG.E R4, [R2.64]", "LDG.E.SYS R4, [R2.64]", "LDG.E.STRONG.CTA R4, [R2.64]",
                            "LDG.E.STRONG.SM R4, [R2.64]", "STG.E.STRONG.GPU [R2.64], R4",
                            "ATOMG.E.ADD.STRONG.GPU PT, R4, [R2.64], R5"}) {
    INFO(other);
    CHECK_FALSE(op_of(other).past_l1);
  }
}

TEST_CASE("fences, copies and what waits for them are what they are") {
  CHECK(op_of("MEMBAR.SC.CTA").kind == OpKind::Fence);
  CHECK(op_of("MEMBAR.SC.CTA").space == MemorySpace::None);
  CHECK(op_of("MEMBAR.ALL.GPU").kind == OpKind::Fence);
  CHECK(op_of("MEMBAR.ALL.GPU").space == MemorySpace::Global);
  CHECK(op_of("MEMBAR.SC.SYS").timing_class == ir::TimingClass::MembarSys);
  const StaticOp copy = op_of("LDGSTS.E.BYPASS.128 [R4+0x10], [R2.64]");
  CHECK(copy.kind == OpKind::Copy);
  CHECK(copy.space == MemorySpace::Global);
  CHECK(copy.bytes_per_lane == 16);
  CHECK(copy.past_l1);
  CHECK(set_of(copy.waits_for) == std::set{r(2), r(3), r(4)});
  CHECK(copy.writes.size() == 0);
  CHECK_FALSE(op_of("LDGSTS.E [R4], [R2.64]").past_l1);
  CHECK(op_of("LDGDEPBAR").kind == OpKind::CommitCopies);
  CHECK(op_of("DEPBAR.LE SB0, 0x3").kind == OpKind::AwaitCopies);
  CHECK(op_of("DEPBAR.LE SB0, 0x3").groups_left == 3);
  CHECK(op_of("NANOSLEEP R0").kind == OpKind::Sleep);
}

TEST_CASE("a warpgroup's product says how wide it is, where A lies and whether it closes a group") {
  const StaticOp shared = op_of("HGMMA.64x40x16.F32 R4, gdesc[UR0], R4, gsb0");
  CHECK(shared.kind == OpKind::GroupProduct);
  CHECK(shared.timing_class == ir::TimingClass::WarpgroupProduct);
  CHECK(shared.column_groups == 5);
  CHECK(shared.has_matrix_in_shared);
  CHECK(shared.closes_group);
  CHECK(shared.sums.first == r(4));
  CHECK(shared.sums.count == 20);
  CHECK(shared.writes.size() == 0);
  const StaticOp registers = op_of("HGMMA.64x256x16.F32.BF16 R4, R140, gdesc[UR2].tnspB, RZ, !UPT");
  CHECK(registers.column_groups == 32);
  CHECK_FALSE(registers.has_matrix_in_shared);
  CHECK_FALSE(registers.closes_group);
  CHECK(op_of("WARPGROUP.ARRIVE").kind == OpKind::ArriveInGroup);
  CHECK(op_of("WARPGROUP.DEPBAR.LE gsb0, 0x5").kind == OpKind::AwaitProducts);
  CHECK(op_of("WARPGROUP.DEPBAR.LE gsb0, 0x5").groups_left == 5);
}

TEST_CASE("kinds have traits, whatever their order") {
  const auto traits = [](const std::string& line) { return traits_of(op_of(line).kind); };
  CHECK(traits("FFMA R1, R2, R3, R1") == 0);
  for (const char* access : {"LDG.E R0, [R2.64]", "STS [R0], R1", "RED.E.ADD.STRONG.GPU [R2.64], R0",
                             "LDGSTS.E [R4], [R2.64]"}) {
    CHECK(traits(access) == kMemoryTrait);
  }
  for (const char* barrier : {"BAR.SYNC 0x0", "BAR.ARV 0x1, 0x40", "BAR.RED.POPC 0x1, P0"})
    CHECK(traits(barrier) == (kBarrierTrait | kMoreThanResultsTrait));
  CHECK(traits("CCTL.IVALL") == kForAllMemoryTrait);
  CHECK(traits("MEMBAR.SC.GPU") == (kForAllMemoryTrait | kWaitsForMoreTrait | kMoreThanResultsTrait));
  for (const char* waits : {"DEPBAR.LE SB0, 0x3", "WARPGROUP.DEPBAR.LE gsb0, 0x5", "EXIT"})
    CHECK(traits(waits) == (kWaitsForMoreTrait | kMoreThanResultsTrait));
  for (const char* after : {"NANOSLEEP R0", "LDGDEPBAR", "WARPGROUP.ARRIVE"})
    CHECK(traits(after) == kMoreThanResultsTrait);
  CHECK(is_bulk(OpKind::BulkLoad));
  CHECK(is_bulk(OpKind::BulkStore));
  CHECK_FALSE(is_memory(OpKind::BulkStore));
}

TEST_CASE("a launch counts its blocks, threads and warps, the last warp perhaps partial") {
  LaunchShape shape;
  shape.grid = {3, 4, 5};
  shape.block = {10, 3, 2};
  CHECK(shape.blocks() == 60);
  CHECK(shape.threads_per_block() == 60);
  CHECK(shape.warps_per_block() == 2);
  shape.warp_size = 64;
  CHECK(shape.warps_per_block() == 1);
  shape.block = {65, 1, 1};
  CHECK(shape.warps_per_block() == 2);
  shape.grid = {0x7fffffff, 65535, 65535};
  CHECK(shape.blocks() == 9'223'090'559'730'712'575U);
}

}  // namespace
}  // namespace heddle::stream
