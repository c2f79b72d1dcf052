// Each kind of operand: chapter 6 of the PTX ISA.
#include "tests/isa/ptx/reading.h"

namespace heddle::ptx {
namespace {

using namespace test;
using Kind = Operand::Kind;

TEST_CASE("PTX: registers, their parts and what negates them") {
  const Module module = body_of(
      "mov.b32 %r3, %r7;\nmov.f32 %f1, %v.y;\nvadd.s32.s32.s32 %r1, %r2.b3, -%r3.h1;\n"
      "vadd4.u32.u32.u32 %r1.b20, %r2.b7654, %r3, %r4;\nselp.b32 %r1, %r2, %r3, !%p1;");
  const Function& kernel = module.functions[0];
  CHECK(register_of(kernel, kernel.body[0].operands[0]).name == "%r3");
  CHECK(register_of(kernel, kernel.body[0].operands[1]).name == "%r7");
  CHECK(register_of(kernel, kernel.body[0].operands[1]).type == Modifier::B32);
  const Operand& y = kernel.body[1].operands[1];
  CHECK(y.element == 1);
  CHECK(register_of(kernel, y).vector_width == 4);
  const Operand& byte = kernel.body[2].operands[1];
  CHECK(byte.selector.unit == 'b');
  CHECK(byte.selector.count == 1);
  CHECK(byte.selector.parts[0] == 3);
  CHECK_FALSE(byte.negated);
  const Operand& half = kernel.body[2].operands[2];
  CHECK(half.negated);
  CHECK(half.selector.unit == 'h');
  CHECK(half.reg == kernel.body[0].operands[0].reg);
  CHECK(kernel.body[3].operands[0].selector.count == 2);
  CHECK(kernel.body[3].operands[1].selector.parts == std::array<std::uint8_t, 4>{7, 6, 5, 4});
  CHECK(kernel.body[4].operands[3].negated);
}

TEST_CASE("PTX: the elements of a vector have two names each") {
  const char* names[] = {"x", "y", "z", "w", "r", "g", "b", "a"};
  for (std::size_t i = 0; i < 8; ++i) {
    CHECK(operand_of("mov.f32 %f1, %v." + std::string(names[i]) + ";", 1).element == i % 4);
  }
}

TEST_CASE("PTX: special registers") {
  const Operand tid = operand_of("mov.u32 %r1, %tid.y;", 1);
  CHECK(tid.kind == Kind::SpecialRegister);
  CHECK(tid.special == SpecialRegister::Tid);
  CHECK(tid.element == 1);
  CHECK(operand_of("mov.u64 %rd1, %clock64;", 1).special == SpecialRegister::Clock64);
  CHECK(operand_of("mov.u32 %r1, %lanemask_ge;", 1).special == SpecialRegister::LaneMaskGe);
  const Operand environment = operand_of("mov.b32 %r1, %envreg31;", 1);
  CHECK(environment.special == SpecialRegister::EnvReg);
  CHECK(environment.number == 31);
  CHECK(operand_of("mov.u64 %rd1, %pm3_64;", 1).special == SpecialRegister::Pm64);
  CHECK(operand_of("mov.u32 %r1, %reserved_smem_offset_1;", 1).special ==
        SpecialRegister::ReservedSmemOffset);
  CHECK(info(SpecialRegister::CtaId).width == 4);
  CHECK(info(SpecialRegister::Clock64).type == Modifier::U64);
}

TEST_CASE("PTX: a register of one's own hides a special one") {
  const Operand own = operand_of(".reg .u32 %laneid; mov.u32 %r1, %laneid;", 1);
  CHECK(own.kind == Kind::Register);
}

TEST_CASE("PTX: integers of every base, with their sign") {
  struct Case {
    const char* text;
    std::uint64_t bits;
    bool is_negative;
  };
  const Case cases[] = {{"42", 42, false},
                        {"-1", ~std::uint64_t{0}, true},
                        {"0x1F", 31, false},
                        {"017", 15, false},
                        {"0b11U", 3, false},
                        {"13835058055282163712", 0xc000000000000000, false},
                        {"-9223372036854775808", 0x8000000000000000, true},
                        {"-9223372036854775807", 0x8000000000000001, true},
                        {"0xffffffffffffffff", ~std::uint64_t{0}, false},
                        {"WARP_SZ", 32, false},
                        {"!0", 1, false},
                        {"!7", 0, false},
                        {"(1 << 3) + 1", 9, false},
                        {"-2 + 5", 3, false}};
  for (const Case& each : cases) {
    INFO(each.text);
    const Operand operand = operand_of("mov.b64 %rd1, " + std::string(each.text) + ";", 1);
    CHECK(operand.kind == Kind::Integer);
    CHECK(operand.bits == each.bits);
    CHECK(operand.is_negative == each.is_negative);
  }
}

TEST_CASE("PTX: floats by their bits or as decimal numbers") {
  const Operand single = operand_of("mov.f32 %f1, 0f3FC00000;", 1);
  CHECK(single.kind == Kind::Float);
  CHECK(single.is_single);
  CHECK(single.bits == 0x3fc00000);
  CHECK(single.float_value() == 1.5);
  const Operand wide = operand_of("mov.f64 %rd1, 0DBFF8000000000000;", 1);
  CHECK_FALSE(wide.is_single);
  CHECK(wide.float_value() == -1.5);
  CHECK(operand_of("mov.f32 %f1, 3.25;", 1).float_value() == 3.25);
  CHECK(operand_of("mov.f32 %f1, -1e-3;", 1).float_value() == -1e-3);
  CHECK(operand_of("mov.f32 %f1, -0f3f800000;", 1).bits == 0xbf800000);
}

TEST_CASE("PTX: addresses") {
  const Module module = body_of(R"(.shared .u32 s[4];
ld.u32 %r1, [%rd2];
ld.u32 %r1, [%rd2+16];
ld.u32 %r1, [%rd2+-8];
ld.u32 %r1, [%rd2-8];
ld.shared.u32 %r1, [s+4];
ld.param.u64 %rd1, [a];
ld.shared.u32 %r1, [64];
ld.shared.u32 %r1, [s + 2 * 4 + 1];)");
  const std::vector<Instruction>& body = module.functions[0].body;
  const std::int64_t offsets[] = {0, 16, -8, -8, 4, 0, 64, 9};
  for (std::size_t i = 0; i < body.size(); ++i) {
    INFO(i);
    CHECK(body[i].operands[1].kind == Kind::Address);
    CHECK(body[i].operands[1].offset() == offsets[i]);
  }
  CHECK(register_of(module.functions[0], body[3].operands[1]).name == "%rd2");
  CHECK(body[4].operands[1].symbol == SymbolRef{SymbolRef::Kind::LocalVariable, 0});
  CHECK(body[4].operands[1].reg == kNone);
  CHECK(body[5].operands[1].symbol == SymbolRef{SymbolRef::Kind::Parameter, 0});
  CHECK(body[6].operands[1].symbol.kind == SymbolRef::Kind::None);
}

TEST_CASE("PTX: tensors and textures have coordinates in brackets") {
  const Operand tensor = operand_of("cp.async.bulk.prefetch.tensor.2d.L2.global [%rd1, {%r1, 7}];", 0);
  CHECK(tensor.kind == Kind::Address);
  REQUIRE(tensor.elements.size() == 1);
  CHECK(tensor.elements[0].kind == Kind::Vector);
  CHECK(tensor.elements[0].elements[1].bits == 7);
  const Operand texture = operand_of("tex.2d.v4.f32.f32 {%f1, %f2, %f3, _}, [%rd1, %rd2, {%f4, %f5}];", 1);
  REQUIRE(texture.elements.size() == 2);
  CHECK(texture.elements[0].kind == Kind::Register);
  CHECK(texture.elements[1].elements.size() == 2);
}

TEST_CASE("PTX: symbols, elements of arrays, sums") {
  const Module module = body_of(R"(.shared .u32 s[4];
mov.u64 %rd1, s;
mov.u64 %rd1, s+8;
mov.u64 %rd1, s[3];
ld.shared.u32 %r1, s[%r2 + 1];
add.u64 %rd1, %rd2+1, 0;
ld.shared.u32 %r1, [s[2]];)");
  const std::vector<Instruction>& body = module.functions[0].body;
  CHECK(body[0].operands[1].kind == Kind::Symbol);
  CHECK(body[1].operands[1].offset() == 8);
  CHECK(body[2].operands[1].kind == Kind::Symbol);
  CHECK(body[2].operands[1].offset() == 12);
  const Operand& element = body[3].operands[1];
  CHECK(element.kind == Kind::Element);
  CHECK(element.stride == 4);
  CHECK(element.offset() == 4);
  CHECK(register_of(module.functions[0], element).name == "%r2");
  CHECK(body[4].operands[1].kind == Kind::Sum);
  CHECK(body[4].operands[1].offset() == 1);
  CHECK(body[5].operands[1].kind == Kind::Address);
  CHECK(body[5].operands[1].offset() == 8);
}

TEST_CASE("PTX: vectors with sinks and numbers, pairs of a register and a predicate") {
  const Operand vector = operand_of("mov.b64 {%r1, _}, %rd1;", 0);
  CHECK(vector.kind == Kind::Vector);
  REQUIRE(vector.elements.size() == 2);
  CHECK(vector.elements[1].kind == Kind::Sink);
  const Operand pair = operand_of("setp.lt.and.s32 %p1|%p2, %r1, 2, !%p3;", 0);
  CHECK(pair.kind == Kind::Pair);
  REQUIRE(pair.elements.size() == 2);
  CHECK(pair.elements[1].kind == Kind::Register);
  CHECK(operand_of("elect.sync _|%p1, 0xffffffff;", 0).elements[0].kind == Kind::Sink);
  CHECK(operand_of("tex.1d.v4.s32.f32 {%r1, %r2, %r3, %r4}|%p1, [%rd1, {%f1}];", 0).elements[0].kind ==
        Kind::Vector);
}

TEST_CASE("PTX: calls have results, a function, arguments and a prototype") {
  const Module module = module_of(R"(.func (.param .b32 r) f(.param .b32 x) { ret; }
.func g() { ret; }
.func (.reg .u32 r) h(.reg .u32 x, .reg .u32 y) { ret; }
.entry k() {
  .reg .b32 %r<4>; .reg .b64 %rd<2>;
  .param .b32 in; .param .b32 out;
  call.uni (out), f, (in);
  call g;
  call g, ();
  call (%r1), h, (%r2, -5);
  mov.u64 %rd1, f;
P: .callprototype (.param .b32 _) _ (.param .b32 _) .noreturn;
T: .calltargets f, g;
  call (out), %rd1, (in), P;
  call (out), %rd1, (in), T;
  call %rd1, P;
})");
  const Function& kernel = module.functions[3];
  const std::vector<Instruction>& body = kernel.body;
  REQUIRE(body.size() == 8);
  for (const Instruction& each : body) {
    if (each.opcode == Opcode::Call) CHECK(each.operands.size() >= 3);
  }
  CHECK(body[0].operands[0].elements[0].symbol == SymbolRef{SymbolRef::Kind::LocalVariable, 1});
  CHECK(body[0].operands[1].symbol == SymbolRef{SymbolRef::Kind::Function, 0});
  CHECK(body[0].operands[2].elements[0].symbol == SymbolRef{SymbolRef::Kind::LocalVariable, 0});
  CHECK(body[1].operands[0].elements.empty());
  CHECK(body[1].operands[2].elements.empty());
  CHECK(body[3].operands[2].elements[1].is_negative);
  CHECK(body[4].operands[1].symbol.kind == SymbolRef::Kind::Function);
  CHECK(body[5].operands[1].kind == Kind::Register);
  REQUIRE(body[5].operands.size() == 4);
  CHECK(body[5].operands[3].kind == Kind::Prototype);
  CHECK(body[5].operands[3].index == 0);
  CHECK(kernel.prototypes[0].parameters.size() == 1);
  CHECK(kernel.prototypes[0].directives[0].name == "noreturn");
  CHECK(body[6].operands[3].kind == Kind::CallTable);
  CHECK(kernel.call_tables[0].targets == std::vector<std::uint32_t>{0, 1});
  CHECK(body[7].operands[3].kind == Kind::Prototype);
}

}  // namespace
}  // namespace heddle::ptx
