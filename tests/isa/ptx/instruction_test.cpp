// Names, modifiers and guards of instructions.
#include <set>

#include "isa/ptx/module.h"
#include "tests/isa/ptx/reading.h"

namespace heddle::ptx {
namespace {

using namespace test;

TEST_CASE("PTX: modifiers are kept in their order, and types among them are counted") {
  const Instruction cvt = instruction_of("cvt.rn.ftz.sat.f16.f32 %r1, %f1;");
  CHECK(cvt.opcode == Opcode::Cvt);
  REQUIRE(cvt.modifiers.size() == 5);
  CHECK(cvt.modifiers[0] == Modifier::Rn);
  CHECK(cvt.modifiers[2] == Modifier::Sat);
  CHECK(cvt.type(0) == Modifier::F16);
  CHECK(cvt.type(1) == Modifier::F32);
  CHECK(cvt.type(2) == Modifier::Unknown);
  CHECK(cvt.has(Modifier::Ftz));
  CHECK_FALSE(cvt.has(Modifier::Rz));
}

TEST_CASE("PTX: the longest name in the table is the instruction's") {
  struct Case {
    const char* text;
    Opcode opcode;
    std::size_t modifiers;
  };
  const Case cases[] = {
      {"cp.async.ca.shared.global [%r1], [%rd1], 4;", Opcode::CpAsync, 3},
      {"cp.async.commit_group;", Opcode::CpAsyncCommitGroup, 0},
      {"cp.async.wait_group 1;", Opcode::CpAsyncWaitGroup, 0},
      {"cp.async.bulk.wait_group.read 0;", Opcode::CpAsyncBulkWaitGroup, 1},
      {"cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%r1];", Opcode::CpAsyncMbarrierArrive, 3},
      {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], 16, [%r2];",
       Opcode::CpAsyncBulk, 3},
      {"st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r1], %r2, [%r3];", Opcode::StAsync,
       4},
      {"st.shared::cta.u32 [%r1], %r2;", Opcode::St, 2},
      {"bar.sync 0;", Opcode::Bar, 1},
      {"bar.warp.sync 0xffffffff;", Opcode::BarWarpSync, 0},
      {"barrier.cluster.arrive.release.aligned;", Opcode::BarrierClusterArrive, 2},
      {"barrier.sync.aligned 1, 64;", Opcode::Barrier, 2},
      {"fence.acq_rel.gpu;", Opcode::Fence, 2},
      {"fence.proxy.async.shared::cta;", Opcode::FenceProxyAsync, 1},
      {"fence.proxy.alias;", Opcode::FenceProxy, 1},
      {"fence.mbarrier_init.release.cluster;", Opcode::FenceMbarrierInit, 2},
      {"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r1], %r2, [%r3];",
       Opcode::RedAsync, 6},
      {"mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r2}, {%f2}, %r3, 0;",
       Opcode::MmaSpOrderedMetadata, 9},
      {"tcgen05.wait::ld.sync.aligned;", Opcode::Tcgen05WaitLd, 2},
      {"tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1;", Opcode::Tcgen05MmaWs, 2},
      {"vote.sync.ballot.b32 %r1, %p1, -1;", Opcode::Vote, 3},
      {"cvt.pack.sat.s8.s32.b32 %r1, %r2, %r3, %r4;", Opcode::CvtPack, 4},
      {"multimem.ld_reduce.relaxed.sys.global.add.v4.bf16x2 {%r1, %r2, %r3, %r4}, [%rd1];",
       Opcode::MultimemLdReduce, 6},
      {"exit;", Opcode::Exit, 0},
  };
  for (const Case& each : cases) {
    INFO(each.text);
    const Instruction instruction = instruction_of(each.text);
    CHECK(instruction.opcode == each.opcode);
    CHECK(instruction.modifiers.size() == each.modifiers);
    CHECK_FALSE(instruction.has(Modifier::Unknown));
  }
}

TEST_CASE("PTX: shapes of matrices are numbers") {
  const Instruction mma =
      instruction_of("wgmma.mma_async.sync.aligned.m64n248k16.f32.f16.f16 {%f1}, %rd1, %rd2, 1, 1, 1, 0, 0;");
  CHECK(mma.shape == MatrixShape{64, 248, 16});
  CHECK(mma.has(Modifier::Shape));
  CHECK(instruction_of("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%r5];").shape ==
        MatrixShape{8, 8, 0});
}

TEST_CASE("PTX: guards") {
  const Module module = body_of("@%p1 ret;\n@!%p2 bra L;\nL: @ %p1 exit;");
  const Function& kernel = module.functions[0];
  CHECK(kernel.registers[kernel.body[0].guard.reg].name == "%p1");
  CHECK_FALSE(kernel.body[0].guard.negated);
  CHECK(kernel.body[1].guard.negated);
  CHECK(kernel.body[2].guard.reg == kernel.body[0].guard.reg);
  CHECK(body_of("ret;").functions[0].body[0].guard.reg == kNone);
}

TEST_CASE("PTX: an instruction knows its text and place, whatever the blanks") {
  const Module module = body_of("\n  @%p1  fma.rn .f32 %f1 , %f2,%f3\n , %f4 ;");
  const Instruction& fma = module.functions[0].body[0];
  CHECK(fma.mnemonic == "fma.rn .f32");
  CHECK(fma.place.line == 6);
  CHECK(fma.place.column == 9);
  CHECK(fma.operands.size() == 4);
  CHECK(fma.operands[3].place.line == 7);
  CHECK(fma.operands[3].place.column == 4);
}

TEST_CASE("PTX: what nobody knows stays, by its name, and the rest of the module is read") {
  const Module module =
      body_of("frobnicate.wide.u32 %r1, <novel>, @operands;\nadd.sideways.s32 %r1, %nothing, 3;\nret;");
  const std::vector<Instruction>& body = module.functions[0].body;
  REQUIRE(body.size() == 3);
  CHECK(body[0].opcode == Opcode::Unknown);
  CHECK(body[0].mnemonic == "frobnicate.wide.u32");
  CHECK(body[0].operands.empty());
  CHECK(body[0].place.line == 5);
  CHECK(body[1].opcode == Opcode::Add);
  CHECK(body[1].modifiers[0] == Modifier::Unknown);
  CHECK(body[1].unknown_words == std::vector<std::string_view>{"sideways"});
  CHECK(body[2].opcode == Opcode::Ret);
}

TEST_CASE("PTX: pragmas in a body stand before an instruction") {
  const Module module = body_of("ret;\n.pragma \"nounroll\";\nret;");
  const std::vector<Pragma>& pragmas = module.functions[0].pragmas;
  REQUIRE(pragmas.size() == 1);
  CHECK(pragmas[0].text == "nounroll");
  CHECK(pragmas[0].index == 1);
  CHECK(pragmas[0].place.line == 6);
}

TEST_CASE("PTX: each word stands in its table once") {
  std::set<std::string_view> words;
  for (std::size_t i = 0; i < static_cast<std::size_t>(Modifier::Shape); ++i) {
    const auto modifier = static_cast<Modifier>(i);
    INFO(info(modifier).word);
    CHECK(words.insert(info(modifier).word).second);
    CHECK(find_modifier(info(modifier).word) == modifier);
    CHECK(is_type(modifier) == (info(modifier).bits != 0));
  }
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < static_cast<std::size_t>(Opcode::Unknown); ++i) {
    CHECK(names.insert(mnemonic(static_cast<Opcode>(i))).second);
  }
}

TEST_CASE("PTX: types have the widths that the PTX ISA gives them") {
  struct Case {
    const char* word;
    unsigned bits;
    TypeKind kind;
  };
  const Case cases[] = {
      {"u8", 8, TypeKind::Unsigned},    {"s64", 64, TypeKind::Signed},    {"b128", 128, TypeKind::Bits},
      {"f16", 16, TypeKind::Float},     {"bf16x2", 32, TypeKind::Packed}, {"tf32", 32, TypeKind::Float},
      {"e4m3x2", 16, TypeKind::Packed}, {"pred", 1, TypeKind::Predicate}, {"f32x2", 64, TypeKind::Packed}};
  for (const Case& each : cases) {
    INFO(each.word);
    const ModifierInfo& row = info(find_modifier(each.word));
    CHECK(row.bits == each.bits);
    CHECK(row.kind == each.kind);
  }
}

}  // namespace
}  // namespace heddle::ptx
