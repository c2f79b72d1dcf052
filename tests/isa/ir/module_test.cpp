// Modules: made from text with several kernels, or by hand before registers are allocated.
#include "isa/ir/module.h"

#include <algorithm>

#include "isa/base/quoted.h"
#include "isa/cfg/dominators.h"
#include "isa/cfg/liveness.h"
#include "isa/exec/decode.h"
#include "isa/ir/entry.h"
#include "isa/ir/verify.h"
#include "isa/text/assemble.h"
#include "tests/support/catch.h"

namespace heddle::ir {
namespace {

constexpr const char* kTwoKernels =
    ".kernel first\n"
    "    MOV R0, R1\n"
    "    EXIT\n"
    ".kernel _Z6secondPi\n"
    ".param p ptr\n"
    "again: NOP ; NOP\n"
    "@!P0 BRA again\n"
    "    EXIT\n";

TEST_CASE("a text with several kernels is one module, whose entry chooses among them") {
  const Module module = text::assemble_module(kTwoKernels, "two.sass");
  REQUIRE(module.functions.size() == 2);
  CHECK(module.file == "two.sass");
  CHECK(find_entry(module, "first") == std::size_t{0});
  CHECK(find_entry(module, "second") == std::size_t{1});
  CHECK(find_entry(module, "second(int*)") == std::size_t{1});
  CHECK_FALSE(find_entry(module, std::nullopt));
  CHECK_FALSE(find_entry(module, "third"));
  CHECK(choices(module) == "there are 'first', '_Z6secondPi' (second(int*))");
}

TEST_CASE("a function that is no entry is not chosen, and needs no name beside the one that is") {
  Module module = text::assemble_module(kTwoKernels, "two.sass");
  module.functions[0].is_entry = false;
  CHECK(find_entry(module, std::nullopt) == std::size_t{1});
  CHECK_FALSE(find_entry(module, "first"));
  CHECK(choices(module) == "there is '_Z6secondPi' (second(int*))");
}

// The first keeps libstdc++'s demangler busy for ever, the second stands for 2^36 parameters.
TEST_CASE("kernels with hostile names are found and listed") {
  for (
      const std::string name :
      {"_ZN4llvm4yaml7yamlizeIhEENSt9enable_ifIXsrntChannel16KLoadBal16has_ScalarTraitsIT_ErrorCodE5valueEvE4typeERNS0_"
       "2IOERS3_bRNS0_12EmptyContextE",
       "_Z1f1AIiiES_IS0_S0_ES_IS1_S1_ES_IS2_S2_ES_IS3_S3_ES_IS4_S4_ES_IS5_S5_ES_IS6_S6_ES_IS7_S7_ES_IS8_S8_E"
       "S_IS9_S9_ES_ISA_SA_ES_ISB_SB_ES_ISC_SC_ES_ISD_SD_ES_ISE_SE_ES_ISF_SF_ES_ISG_SG_ES_ISH_SH_ES_ISI_SI_E"
       "S_ISJ_SJ_ES_ISK_SK_ES_ISL_SL_ES_ISM_SM_ES_ISN_SN_ES_ISO_SO_ES_ISP_SP_ES_ISQ_SQ_ES_ISR_SR_E"}) {
    const Module module = text::assemble_module(".kernel " + name + "\n    EXIT\n", "hostile.sass");
    CHECK(find_entry(module, name) == std::size_t{0});
    CHECK_FALSE(find_entry(module, "yamlize"));
    CHECK(choices(module) == "there is " + quoted(name));
  }
}

TEST_CASE("each instruction knows its place in the text") {
  const Module module = text::assemble_module(kTwoKernels, "two.sass");
  CHECK(module.files == std::vector<std::string>{"two.sass"});
  const std::vector<SourcePlace>& places = module.functions[1].sources;
  REQUIRE(places.size() == 4);
  const std::pair<unsigned, unsigned> expected[] = {{6, 8}, {6, 14}, {7, 1}, {8, 5}};
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(places[i].file == 0);
    CHECK(places[i].line == expected[i].first);
    CHECK(places[i].column == expected[i].second);
  }
}

Operand virtual_register(RegisterIndex number) { return {Operand::Kind::Register, kFirstVirtual + number}; }

Instruction add(RegisterIndex to, RegisterIndex a, RegisterIndex b) {
  Instruction made;
  made.opcode = Opcode::Viadd;
  made.operands[0] = virtual_register(to);
  made.operands[1] = virtual_register(a);
  made.operands[2] = virtual_register(b);
  return made;
}

/// r0 ... r399 are written in the first block and added up in a loop of two arms, r400 being the sum:
///
///   0 to 399: MOV %r_i, i      400: MOV %r400, 0
///   401: ISETP %p0             402: @%p0 BRA 603
///   403 to 602: sum += %r0 ... %r199, then 603 to 802: sum += %r200 ... %r399
///   803: @%p0 BRA 401          804: EXIT
Module before_allocation() {
  Kernel kernel;
  kernel.name = "sums";
  const auto move = [&](RegisterIndex to) {
    Instruction made;
    made.opcode = Opcode::Mov;
    made.operands[0] = virtual_register(to);
    made.operands[1].value = to;
    kernel.instructions.push_back(made);
  };
  const auto branch = [&](Pc target) {
    Instruction made;
    made.opcode = Opcode::Bra;
    made.guard.predicate = kFirstVirtual;
    made.operands[1] = {Operand::Kind::Target, 0, false, false, target};
    kernel.instructions.push_back(made);
  };
  for (RegisterIndex i = 0; i <= 400; ++i) move(i);
  Instruction compare;
  compare.opcode = Opcode::Isetp;
  compare.modifiers.set(Modifier::CompareLt);
  compare.modifiers.set(Modifier::BoolAnd);
  compare.operands[0] = {Operand::Kind::Predicate, kFirstVirtual};
  compare.operands[1] = {Operand::Kind::Predicate, kPredicateTrue};
  compare.operands[2] = virtual_register(400);
  compare.operands[3].value = 1000;
  compare.operands[4] = {Operand::Kind::Predicate, kPredicateTrue};
  compare.operands[5] = {Operand::Kind::Predicate, kPredicateTrue, true};
  kernel.instructions.push_back(compare);
  branch(603);
  for (RegisterIndex i = 0; i < 400; ++i) kernel.instructions.push_back(add(400, 400, i));
  branch(401);
  kernel.instructions.emplace_back().opcode = Opcode::Exit;
  kernel.registers = 1;
  Module module;
  module.file = "sums.ptx";
  module.functions.push_back(kernel);
  return module;
}

TEST_CASE(
    "a module with hundreds of virtual registers is verified and analysed before allocation, but not executed") {
  const Module module = before_allocation();
  for (const Diagnostic& each : verify(module)) CHECK(to_text(each) == "");
  const Kernel& kernel = module.functions[0];
  REQUIRE(kernel.instructions.size() == 805);

  const cfg::FlowGraph graph = cfg::make_flow_graph(kernel);
  REQUIRE(graph.blocks.size() ==
          5);  // before the loop, its head, the arm that may be left out, the other, the end
  const std::vector<cfg::BlockIndex> dominators = cfg::immediate_dominators(graph);
  CHECK(dominators == std::vector<cfg::BlockIndex>{cfg::kNoDominator, 0, 1, 1, 3});
  CHECK(cfg::immediate_postdominators(graph) == std::vector<cfg::BlockIndex>{1, 3, 3, 4, cfg::kEndOfKernel});

  const cfg::Liveness liveness = cfg::make_liveness(kernel, graph);
  CHECK(liveness.registers.size() == 402);
  CHECK(liveness.live_in[0].empty());
  CHECK(liveness.live_in[1].size() ==
        401);  // all that are added, and the sum; the predicate is written first
  CHECK(liveness.live_in[2].size() == 402);
  CHECK(liveness.live_out[3].size() == 401);
  CHECK(liveness.live_in[4].empty());
  const cfg::RegisterNumber sum = liveness.number_of({RegisterFile::General, kFirstVirtual + 400});
  const std::vector<cfg::RegisterNumber> live = cfg::live_before(kernel, graph, liveness, 400);
  CHECK(std::find(live.begin(), live.end(), sum) == live.end());  // not written yet
  CHECK(live.size() == 400);

  exec::Launch launch;
  launch.kernel = kernel;
  CHECK_THROWS_WITH(
      exec::decode(launch, 32, exec::Divergence::Barriers),
      Catch::Contains(
          "MOV names the virtual register %r0: registers must be allocated before it is executed"));
}

}  // namespace
}  // namespace heddle::ir
