// What SASS opcodes are timed as.
#include "sim/trace/replay/opcode_class.h"

#include <fmt/format.h>

#include "sim/config/load.h"
#include "sim/trace/replay/operation.h"
#include "sim/trace/replay/replay_kernel.h"
#include "tests/support/catch.h"
#include "tests/support/sm_harness.h"
#include "tests/support/written_trace.h"

namespace heddle::test {
namespace {

using ir::TimingClass;
using stream::MemorySpace;
using stream::OpKind;

trace::Operation operation_of(const std::string& opcode, std::int64_t immediate = 0,
                              MemorySpace generic = MemorySpace::Global) {
  trace::TraceInstruction instruction;
  instruction.opcode = opcode;
  trace::TraceLine line;
  line.instruction = &instruction;
  line.immediate = immediate;
  return trace::make_operation(line, generic, true);
}

TEST_CASE("opcodes that the instruction table has are not approximated") {
  struct Known {
    const char* opcode;
    TimingClass timing_class;
    OpKind kind = OpKind::Compute;
    unsigned bytes = 0;
  };
  const Known known[] = {
      {"FFMA", TimingClass::Fp32},
      {"FFMA.FTZ.RN", TimingClass::Fp32},
      {"IMAD.MOV.U32", TimingClass::Imad},
      {"IMAD.WIDE.U32", TimingClass::ImadWide},
      {"ISETP.GE.AND.EX", TimingClass::Compare},
      {"HFMA2.MMA", TimingClass::Fp16},
      {"MUFU.RCP64H", TimingClass::SpecialFunction},
      {"LDG.E", TimingClass::LoadGlobal, OpKind::Load, 4},
      {"LDG.E.64.SYS", TimingClass::LoadGlobal, OpKind::Load, 8},
      {"LDG.E.U8.CONSTANT", TimingClass::LoadGlobal, OpKind::Load, 1},
      {"LDG.E.S16", TimingClass::LoadGlobal, OpKind::Load, 2},
      {"LDS.U.128", TimingClass::LoadShared, OpKind::Load, 16},
      {"STG.E.128", TimingClass::StoreGlobal, OpKind::Store, 16},
      {"STL.64", TimingClass::StoreGlobal, OpKind::Store, 8},
      {"ATOMG.E.ADD.F64.RN.STRONG.GPU", TimingClass::AtomicGlobal, OpKind::Atomic, 8},
      {"RED.E.ADD.STRONG.GPU", TimingClass::ReduceGlobal, OpKind::Atomic, 4},
      {"ATOMS.POPC.INC.32", TimingClass::AtomicShared, OpKind::Atomic, 4},
      {"LDGSTS.E.BYPASS.LTC128B.128", TimingClass::CopyToShared, OpKind::Copy, 16},
      {"LDGDEPBAR", TimingClass::Nop, OpKind::CommitCopies},
      {"BAR.SYNC.DEFER_BLOCKING", TimingClass::Barrier, OpKind::Barrier},
      {"BAR.ARV", TimingClass::Barrier, OpKind::BarrierArrive},
      {"BAR.RED.POPC", TimingClass::Barrier, OpKind::BarrierReduce},
      {"MEMBAR.SC.GPU", TimingClass::Membar, OpKind::Fence},
      {"CCTL.IVALL", TimingClass::LoadGlobal, OpKind::InvalidateL1},
      {"NANOSLEEP", TimingClass::Branch, OpKind::Sleep},
      {"EXIT", TimingClass::Exit, OpKind::Exit},
      {"LD.E.64", TimingClass::LoadGlobal, OpKind::Load, 8},
      {"ST.E", TimingClass::StoreGlobal, OpKind::Store, 4},
      {"ATOM.E.ADD.STRONG.GPU", TimingClass::AtomicGlobal, OpKind::Atomic, 4},
  };
  for (const Known& row : known) {
    INFO(row.opcode);
    const trace::Operation found = operation_of(row.opcode);
    CHECK(found.as.empty());
    CHECK(found.op.timing_class == row.timing_class);
    CHECK(found.op.kind == row.kind);
    CHECK(found.op.bytes_per_lane == row.bytes);
  }
}

TEST_CASE("other opcodes fall to the nearest row by rule") {
  const std::pair<const char*, const char*> rows[] = {
      {"IMMA.1688.S8.S8", "HMMA.16816.F32"},
      {"DMMA.16816", "HMMA.16816.F32"},
      {"HMMA.884.F32.F32.STEP0", "HMMA.1688.F32"},
      {"QGMMA.64x256x32.F32.E4M3.E4M3", ""},
      {"TEX.SCR.LL", "LDG"},
      {"FADD32I", "FADD"},
      {"FSWZADD", "FADD"},
      {"FSET.FTZ", "FSETP"},
      {"DMNMX", "DADD"},
      {"ISCADD", "IADD3"},
      {"IMUL32I", "IMAD"},
      {"XMAD.MRG", "IMAD"},
      {"I2FP.F16.S32", "I2F"},
      {"JMX", "BRX"},
      {"UTMALDG.2D", "NOP"},
      {"SYNCS.ARRIVE.TRANS64", "NOP"},
      {"UTMACCTL.WB", "NOP"},
      {"WHATEVER.NEXT", "MOV"},
      {"U", "MOV"},
      {"", "MOV"},
      {"...", "MOV"},
      {"MEMBAR.SC.VC", "MEMBAR.SC.GPU"},
  };
  for (const auto& [opcode, row] : rows) {
    INFO(opcode);
    CHECK(operation_of(opcode).as == row);
  }
  CHECK(operation_of("FENCE.VIEW.ASYNC.S").as.empty());  // what it orders is in order
}

TEST_CASE("products of warpgroups have as many sums as their shape says, in registers behind the first") {
  trace::TraceInstruction instruction;
  instruction.has_destination = true;
  instruction.destination = {trace::RegisterFile::General, 24};
  instruction.sources = 1;
  instruction.source[0] = instruction.destination;
  trace::TraceLine line;
  line.instruction = &instruction;
  const auto make = [&](const char* opcode) {
    instruction.opcode = opcode;
    return trace::make_operation(line, MemorySpace::None, true).op;
  };
  const stream::StaticOp op = make("HGMMA.64x128x16.F32.BF16");
  CHECK(op.kind == OpKind::GroupProduct);
  CHECK(op.column_groups == 16);
  CHECK(op.sums.first == ir::kFirstRegister + 24);
  CHECK(op.sums.count == 64);
  CHECK(op.has_matrix_in_shared);
  CHECK_FALSE(op.closes_group);
  CHECK(make("HGMMA.64x128x16.F16").sums.count == 32);
  CHECK(make("IGMMA.64x32x32.S8.S8").sums.count == 16);
  CHECK(make("HGMMA.64x4000000000x16.F32").column_groups == 0);
  CHECK(make("HGMMA").sums.count == 0);
  instruction.closes_group = true;
  instruction.sources = 2;
  instruction.source = {trace::TraceRegister{trace::RegisterFile::General, 8}, instruction.destination};
  const stream::StaticOp last = make("HGMMA.64x256x16.F32");
  CHECK(last.closes_group);
  CHECK_FALSE(last.has_matrix_in_shared);
  CHECK(last.sums.count == 128);
  CHECK(last.waits_for.size() == 4);  // A
}

TEST_CASE("a written wait for products ends when they are done") {
  const sim::GpuSpec spec = sim::load_gpu("h100");
  const std::string lines =
      "0000 ffffffff 0 WARPGROUP.ARRIVE 0 0\n"
      "0010 ffffffff 1 R24 HGMMA.64x256x16.F32 1 R24 0\n"
      "0020 ffffffff 0 WARPGROUP.DEPBAR.LE 0 0 0\n"
      "0030 ffffffff 1 R3 FADD 2 R3 R3 0\n"
      "0040 ffffffff 1 R4 FADD 2 R24 R3 0\n"
      "0050 ffffffff 0 EXIT 0 0\n";
  std::string body = "block 0,0,0\n";
  for (unsigned warp = 0; warp < 4; ++warp) body += fmt::format("warp {}\n{}", warp, lines);
  trace::ReplayKernel kernel(std::make_unique<WrittenTrace>(written_header({.x = 128}, {}, 168), body));
  const Timeline run = simulate(kernel, spec);
  const std::vector<Cycle> cycles = run.cycles(0);
  // Measured: 128 cycles for a product of 64x256x16 (arXiv 2501.12084). Nobody closed the group, so that
  // the wait is none, but who reads the sums waits for them.
  CHECK(cycles[3] - cycles[1] < 10);
  CHECK(cycles[4] - cycles[1] >= 128);
  CHECK(broken_laws(run.result, spec) == std::vector<std::string>{});
}

TEST_CASE("generic addresses lie where they say") {
  CHECK(operation_of("LD.E", 0, MemorySpace::Shared).op.timing_class == TimingClass::LoadShared);
  CHECK(operation_of("LD.E", 0, MemorySpace::Shared).op.space == MemorySpace::Shared);
  CHECK(operation_of("ST.E", 0, MemorySpace::Shared).op.timing_class == TimingClass::StoreShared);
  CHECK(operation_of("ATOM.E.ADD", 0, MemorySpace::Shared).op.timing_class == TimingClass::AtomicShared);
  CHECK(operation_of("ST.E", 0, MemorySpace::Local).op.space == MemorySpace::Local);

  const sim::GpuSpec spec = sim::load_gpu("h100");
  trace::TraceHeader header = written_header({.x = 32});
  header.shared_base = 0x7f5e00000000;
  header.local_base = 0x7f5ddd000000;
  const std::string body =
      "block 0,0,0\nwarp 0\n"
      "0000 ffffffff 1 R4 LD.E 1 R2 4 1 0x7f5e00000100 4 0\n"
      "0000 ffffffff 1 R4 LD.E 1 R2 4 1 0x7f5ddd000100 0 0\n"
      "0000 ffffffff 1 R4 LD.E 1 R2 4 1 0x7f0000000100 4 0\n"
      "0010 ffffffff 0 EXIT 0 0\n";
  trace::ReplayKernel kernel(std::make_unique<WrittenTrace>(header, body));
  const Timeline run = simulate(kernel, spec);
  const sim::MemoryCounters& memory = run.result.total.memory;
  CHECK(memory.shared_load_requests == 1);
  CHECK(memory.local_load_requests == 1);
  CHECK(memory.local_load_sectors == 4);  // one word of each thread, side by side
  CHECK(memory.global_load_requests == 1);
}

TEST_CASE("data that others may have changed do not come from L1") {
  const sim::GpuSpec spec = sim::load_gpu("h100");
  for (const auto& [opcode, hits] : {std::pair{"LDG.E", 4U},
                                     {"LDG.E.STRONG.GPU", 0U},
                                     {"LDG.E.EF.STRONG.SYS", 0U},
                                     {"LD.E.STRONG.GPU", 0U}}) {
    const std::string load = fmt::format("ffffffff 1 R4 {} 1 R2 4 1 0x7f0000000000 4 0\n", opcode);
    const std::string body = fmt::format(
        "block 0,0,0\nwarp 0\n0000 {}0010 ffffffff 1 R5 FADD 2 R4 R4 0\n0020 {}0030 ffffffff 0 EXIT 0 0\n",
        load, load);
    trace::ReplayKernel kernel(std::make_unique<WrittenTrace>(written_header({.x = 32}), body));
    INFO(opcode);
    const Timeline run = simulate(kernel, spec);
    CHECK(run.result.total.memory.l1_hit_sectors == hits);
    CHECK(broken_laws(run.result, spec) == std::vector<std::string>{});
  }
}

TEST_CASE("a wait for groups of copies is as long as its number says") {
  CHECK(operation_of("DEPBAR.LE", 2).op.kind == OpKind::AwaitCopies);
  CHECK(operation_of("DEPBAR.LE", 2).op.groups_left == 2);
  // Two copies in two groups: waiting for one group leaves as many as the number.
  const sim::GpuSpec spec = sim::load_gpu("h100");
  const auto end = [&spec](unsigned left) {
    const std::string body = fmt::format(
        "block 0,0,0\nwarp 0\n"
        "0000 ffffffff 0 LDGSTS.E.128 2 R2 R4 16 1 0x7f0000000000 16 0\n"
        "0010 ffffffff 0 LDGDEPBAR 0 0\n"
        "0020 ffffffff 0 DEPBAR.LE 0 0 {}\n"
        "0030 ffffffff 0 EXIT 0 0\n",
        left);
    trace::ReplayKernel kernel(std::make_unique<WrittenTrace>(written_header({.x = 32}), body));
    return simulate(kernel, spec).cycles(0).back();
  };
  CHECK(end(0) > end(1) + spec.dram.latency);
}

TEST_CASE("rows of the table are timed as those that run in the same unit") {
  const std::pair<std::string, std::string> rows[] = {
      {"ULEA", "LEA"},
      {"UIMAD.WIDE", "IMAD.WIDE"},
      {"USEL", "SEL"},
      {"ULOP3.LUT", "LOP3"},
      {"USHF.R.S32.HI", "SHF"},
      {"UISETP.GE.AND", "ISETP"},
      {"S2UR", "S2R"},
      {"UR2UP", "R2P"},
      {"VOTEU.ANY", "VOTE"},
      {"VIADD", "IMAD"},
      {"VIMNMX.U32", "IMNMX"},
      {"HMNMX2", "HADD2"},
      {"BMOV.32.CLEAR", "BSSY"},
  };
  for (const auto& [opcode, row] : rows) {
    INFO(opcode);
    CHECK(operation_of(opcode).as.empty());
    CHECK(operation_of(opcode).op.timing_class == ir::info(*ir::find_opcode(row)).timing_class);
  }
}

TEST_CASE("classes that a GPU does not have fall to near ones, and the report says so") {
  const std::string body =
      "block 0,0,0\nwarp 0\n"
      "0000 ffffffff 1 R4 HMMA.16816.F32 3 R8 R12 R16 0\n"
      "0010 ffffffff 0 UFSEL 0 0\n"
      "0010 ffffffff 0 UFSEL 0 0\n"
      "0020 ffffffff 0 LDGSTS.E.128 2 R2 R4 16 1 0x7f0000000000 16 0\n"
      "0030 ffffffff 0 EXIT 0 0\n";
  const sim::GpuSpec spec = sim::load_gpu("p100");
  trace::ReplayOptions options;
  for (std::size_t i = 0; i < ir::kTimingClasses; ++i)
    options.absent[i] = spec.sm.timing(static_cast<TimingClass>(i)).is_absent();
  trace::ReplayKernel kernel(std::make_unique<WrittenTrace>(written_header({.x = 32}), body), options);
  CHECK(simulate(kernel, spec).result.total.warp_instructions == 5);
  std::vector<std::string> found;
  for (const trace::Approximation& each : kernel.approximations())
    found.push_back(fmt::format("{} {} {}", each.opcode, each.as, each.warp_instructions));
  CHECK(found ==
        std::vector<std::string>{"HMMA.16816.F32 fp16 1", "LDGSTS.E.128 load_global 1", "UFSEL FSEL 2"});
}

}  // namespace
}  // namespace heddle::test
