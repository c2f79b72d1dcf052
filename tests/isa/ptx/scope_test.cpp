// Scopes of registers, variables and labels: chapters 4.4 and 7 of the PTX ISA.
#include "tests/isa/ptx/reading.h"

namespace heddle::ptx {
namespace {

using namespace test;

TEST_CASE("PTX: a block's registers and variables are others than those outside with the same names") {
  const Module module = module_of(R"(.entry k() {
  .reg .b32 x; .local .b32 v;
  mov.b32 x, 1;
  {
    .reg .b64 x; .local .b64 v[2];
    mov.b64 x, v;
    {
      mov.b64 x, v;
    }
  }
  mov.b32 x, v;
})");
  const Function& kernel = module.functions[0];
  const std::vector<Instruction>& body = kernel.body;
  REQUIRE(body.size() == 4);
  CHECK(register_of(kernel, body[0].operands[0]).type == Modifier::B32);
  CHECK(register_of(kernel, body[1].operands[0]).type == Modifier::B64);
  CHECK(body[2].operands[0].reg == body[1].operands[0].reg);
  CHECK(body[3].operands[0].reg == body[0].operands[0].reg);
  REQUIRE(kernel.variables.size() == 2);
  CHECK(body[1].operands[1].symbol.index == 1);
  CHECK(body[2].operands[1].symbol.index == 1);
  CHECK(body[3].operands[1].symbol.index == 0);
}

TEST_CASE("PTX: a range of registers is there as far as it is used, in whichever block") {
  const Module module = module_of(R"(.entry k() {
  .reg .b32 %r<4294967295>;
  { mov.b32 %r4294967294, 1; }
  mov.b32 %r0, %r4294967294;
  { .reg .f32 %r<3>; mov.f32 %r2, 0f00000000; mov.b32 %r4294967294, 3; }
})");
  const Function& kernel = module.functions[0];
  CHECK(kernel.registers.size() == 3);
  CHECK(kernel.body[1].operands[1].reg == kernel.body[0].operands[0].reg);
  CHECK(register_of(kernel, kernel.body[2].operands[0]).type == Modifier::F32);
  CHECK(kernel.body[3].operands[0].reg == kernel.body[0].operands[0].reg);
}

TEST_CASE("PTX: the inner of a single register and a range wins") {
  const Module module = module_of(R"(.entry k() {
  .reg .b32 %r<4>;
  { .reg .b64 %r2; mov.b64 %r2, 0; { .reg .f32 %r<4>; mov.f32 %r2, 0f00000000; } }
  mov.b32 %r2, 0;
})");
  const Function& kernel = module.functions[0];
  CHECK(register_of(kernel, kernel.body[0].operands[0]).type == Modifier::B64);
  CHECK(register_of(kernel, kernel.body[1].operands[0]).type == Modifier::F32);
  CHECK(register_of(kernel, kernel.body[2].operands[0]).type == Modifier::B32);
}

TEST_CASE("PTX: ranges whose names end in digits are told apart") {
  const Module module = module_of(R"(.entry k() {
  .reg .b32 %r<3>; .reg .f32 %r1<20>;
  mov.b32 %r2, 1; mov.f32 %r12, 0f00000000; mov.f32 %r119, 0f00000000;
})");
  const Function& kernel = module.functions[0];
  CHECK(register_of(kernel, kernel.body[0].operands[0]).type == Modifier::B32);
  CHECK(register_of(kernel, kernel.body[1].operands[0]).type == Modifier::F32);
  CHECK(register_of(kernel, kernel.body[2].operands[0]).type == Modifier::F32);
  CHECK(kernel.registers.size() == 3);
}

TEST_CASE("PTX: functions may use the same names") {
  const Module module = module_of(
      ".entry a(.param .b32 p) { .reg .b32 %r<9>; L: ld.param.b32 %r1, [p]; bra L; }\n"
      ".entry b(.param .b64 p) { .reg .b64 %r<9>; ld.param.b64 %r1, [p]; L: bra L; }");
  CHECK(module.functions[0].body[1].operands[0].index == 0);
  CHECK(module.functions[1].body[1].operands[0].index == 1);
  CHECK(module.functions[1].registers[0].type == Modifier::B64);
}

TEST_CASE("PTX: labels are instructions, before and behind, the last one perhaps the end") {
  const Module module = body_of("A: bra B;\n{ bra A; bra E; }\nB: C: bra A;\nE:");
  const Function& kernel = module.functions[0];
  REQUIRE(kernel.body.size() == 4);
  CHECK(kernel.body[0].operands[0].kind == Operand::Kind::Label);
  CHECK(kernel.body[0].operands[0].index == 3);
  CHECK(kernel.body[1].operands[0].index == 0);
  CHECK(kernel.body[2].operands[0].index == 4);
  CHECK(kernel.labels.size() == 4);
}

TEST_CASE("PTX: each block has its own labels, and a use means the innermost, wherever it stands") {
  const Module module = body_of("L: { bra L; L: bra L; { L: bra L; } { bra L; } bra L; } bra L;");
  const Function& kernel = module.functions[0];
  const std::uint32_t targets[] = {1, 1, 2, 1, 1, 0};
  REQUIRE(kernel.body.size() == 6);
  for (std::size_t i = 0; i < 6; ++i) {
    INFO(i);
    CHECK(kernel.body[i].operands[0].index == targets[i]);
  }
}

TEST_CASE("PTX: tables of branch targets are resolved, too") {
  const Module module = body_of(R"(
T: .branchtargets A, B, A;
A: brx.idx %r1, T;
B: @%p1 brx.idx.uni %r1, U;
U: .branchtargets B;)");
  const Function& kernel = module.functions[0];
  REQUIRE(kernel.branch_tables.size() == 2);
  CHECK(kernel.branch_tables[0].name == "T");
  CHECK(kernel.branch_tables[0].targets == std::vector<std::uint32_t>{0, 1, 0});
  CHECK(kernel.body[0].operands[1].kind == Operand::Kind::BranchTable);
  CHECK(kernel.body[0].operands[1].index == 0);
  CHECK(kernel.body[1].operands[1].index == 1);
  CHECK(kernel.body[1].has(Modifier::Uni));
}

TEST_CASE("PTX: variables of a body have their spaces, parameters of calls among them") {
  const Module module = body_of(
      ".local .align 8 .b8 __local_depot0[16]; { .param .b64 param0; .param .align 4 .b8 retval0[12]; "
      "st.param.b64 [param0+0], %rd1; ld.param.b32 %r1, [retval0+8]; } .shared .f32 s[2][3];");
  const std::vector<Variable>& variables = module.functions[0].variables;
  REQUIRE(variables.size() == 4);
  CHECK(variables[0].space == StateSpace::Local);
  CHECK(variables[0].alignment == 8);
  CHECK(variables[1].space == StateSpace::Param);
  CHECK(variables[2].bytes() == 12);
  CHECK(variables[3].bytes() == 24);
  CHECK(module.functions[0].body[1].operands[1].offset() == 8);
}

TEST_CASE("PTX: blocks may be nested as deep as the file is long") {
  constexpr std::size_t kDeep = 200000;
  const Module module = body_of(std::string(kDeep, '{') + "bra L;" + std::string(kDeep, '}') + "L: ret;");
  CHECK(module.functions[0].body[0].operands[0].index == 1);
}

}  // namespace
}  // namespace heddle::ptx
