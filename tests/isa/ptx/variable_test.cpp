// Variables and their initialisers: chapters 5.4 and 11.6 of the PTX ISA.
#include "tests/isa/ptx/reading.h"

namespace heddle::ptx {
namespace {

using namespace test;

Variable variable_of(const std::string& text) {
  const Module module = module_of(text);
  REQUIRE(!module.variables.empty());
  return module.variables.back();
}

TEST_CASE("PTX: a variable has space, type, width, alignment and dimensions") {
  const Variable matrix = variable_of(".visible .global .align 16 .v2 .f32 m[3][5];");
  CHECK(matrix.name == "m");
  CHECK(matrix.space == StateSpace::Global);
  CHECK(matrix.linkage == Linkage::Visible);
  CHECK(matrix.type == Modifier::F32);
  CHECK(matrix.vector_width == 2);
  CHECK(matrix.alignment == 16);
  CHECK(matrix.is_array);
  CHECK(matrix.dimensions == std::vector<std::uint64_t>{3, 5});
  CHECK(matrix.elements == 15);
  CHECK(matrix.bytes() == 120);
}

TEST_CASE("PTX: a variable without .align has the alignment of its elements") {
  CHECK(variable_of(".const .u16 x;").alignment == 2);
  CHECK(variable_of(".shared .f64 x[3];").alignment == 8);
  CHECK(variable_of(".global .v4 .f32 x;").alignment == 16);
  CHECK(variable_of(".global .b8 x[3];").alignment == 1);
  CHECK(variable_of(".global .b128 x;").alignment == 16);
}

TEST_CASE("PTX: linkage of variables") {
  CHECK(variable_of(".common .global .u32 x;").linkage == Linkage::Common);
  CHECK(variable_of(".weak .global .u32 x;").linkage == Linkage::Weak);
  CHECK(variable_of(".extern .const .u32 x;").linkage == Linkage::Extern);
  CHECK(variable_of(".global .u32 x;").linkage == Linkage::None);
}

TEST_CASE("PTX: dynamic shared memory is an open array without a size") {
  const Variable open = variable_of(".extern .shared .align 16 .b8 s[];");
  CHECK(open.is_open);
  CHECK(open.is_array);
  CHECK(open.bytes() == 0);
  CHECK(open.dimensions == std::vector<std::uint64_t>{0});
}

TEST_CASE("PTX: one declaration may have several variables") {
  const Module module = module_of(".global .u32 a, b[2] = {1, 2}, c = 3;");
  REQUIRE(module.variables.size() == 3);
  CHECK(module.variables[1].initial.size() == 2);
  CHECK(module.variables[2].initial[0].bits == 3);
  CHECK_FALSE(module.variables[2].is_array);
}

TEST_CASE("PTX: values of an initialiser keep their bits and positions") {
  const Variable x = variable_of(".global .f32 x[6] = {1, -2, 0f3fc00000, 2.5, 0d3ff0000000000000};");
  REQUIRE(x.initial.size() == 5);
  CHECK(x.initial[0].kind == InitialValue::Kind::Integer);
  CHECK(x.initial[0].bits == 1);
  CHECK(x.initial[1].bits == static_cast<std::uint64_t>(-2));
  CHECK(x.initial[2].kind == InitialValue::Kind::Float);
  CHECK(x.initial[2].is_single);
  CHECK(x.initial[2].bits == 0x3fc00000);
  CHECK_FALSE(x.initial[3].is_single);
  CHECK(x.initial[3].bits == 0x4004000000000000);  // 2.5
  CHECK(x.initial[4].bits == 0x3ff0000000000000);
  CHECK(x.initial[4].index == 4);
}

TEST_CASE("PTX: nested lists fill the dimension that they stand for, and what is left out is a gap") {
  const Variable x = variable_of(".global .u32 x[3][4] = {{1, 2}, {}, {3}};");
  REQUIRE(x.initial.size() == 3);
  CHECK(x.initial[0].index == 0);
  CHECK(x.initial[1].index == 1);
  CHECK(x.initial[2].index == 8);
  const Variable vectors = variable_of(".global .v2 .u32 x[3] = {{1, 2}, {3}, {5, 6}};");
  REQUIRE(vectors.initial.size() == 5);
  CHECK(vectors.initial[2].index == 2);
  CHECK(vectors.initial[3].index == 4);
}

TEST_CASE("PTX: an open array has the size of its initialiser") {
  const Variable x = variable_of(".const .u16 x[] = {1, 2, 3};");
  CHECK_FALSE(x.is_open);
  CHECK(x.elements == 3);
  CHECK(x.bytes() == 6);
  const Variable rows = variable_of(".const .u16 x[][4] = {{1}, {2, 3}};");
  CHECK(rows.dimensions == std::vector<std::uint64_t>{2, 4});
  CHECK(rows.elements == 8);
}

TEST_CASE("PTX: a symbol in an initialiser, its offset, its generic address and its bytes") {
  const Module module = module_of(R"(
.global .u32 a[4];
.func f() { ret; }
.global .u64 p[5] = {a, a + 4, generic(a) + 8, f, generic(a+4)};
.global .u8 b[3] = {0xff(a), 0xff00(a+4), 0xff0000(generic(a))};)");
  const std::vector<InitialValue>& p = module.variables[1].initial;
  REQUIRE(p.size() == 5);
  CHECK(p[0].symbol == SymbolRef{SymbolRef::Kind::ModuleVariable, 0});
  CHECK(p[0].bits == 0);
  CHECK(p[1].bits == 4);
  CHECK_FALSE(p[1].is_generic);
  CHECK(p[2].is_generic);
  CHECK(p[2].bits == 8);
  CHECK(p[3].symbol == SymbolRef{SymbolRef::Kind::Function, 0});
  CHECK(p[4].is_generic);
  CHECK(p[4].bits == 4);
  const std::vector<InitialValue>& b = module.variables[2].initial;
  REQUIRE(b.size() == 3);
  CHECK(b[0].mask == 0xff);
  CHECK(b[1].mask == 0xff00);
  CHECK(b[1].bits == 4);
  CHECK(b[2].is_generic);
  CHECK(b[2].index == 2);
  CHECK(p[0].mask == ~std::uint64_t{0});
}

TEST_CASE("PTX: a variable that was declared as external and its definition are one") {
  const Module module = module_of(
      ".extern .global .u32 x;\n.global .u32 y;\n.visible .global .u32 x = 7;\n.extern .global .u32 x;");
  REQUIRE(module.variables.size() == 2);
  CHECK(module.variables[0].linkage == Linkage::Visible);
  REQUIRE(module.variables[0].initial.size() == 1);
  CHECK(module.variables[0].initial[0].bits == 7);
}

TEST_CASE("PTX: samplers and textures keep their fields") {
  const Variable sampler =
      variable_of(".global .samplerref s = { addr_mode_0 = clamp_to_border, filter_mode = nearest };");
  CHECK(sampler.type == Modifier::Samplerref);
  REQUIRE(sampler.attributes.size() == 2);
  CHECK(sampler.attributes[0].name == "addr_mode_0");
  CHECK(sampler.attributes[0].texts == std::vector<std::string>{"clamp_to_border"});
  CHECK(variable_of(".tex .u32 t;").space == StateSpace::Tex);
}

TEST_CASE("PTX: constant expressions have C's operators, .s64, .u64 and .f64") {
  struct Case {
    const char* text;
    std::uint64_t bits;
  };
  // Table 8 of the PTX ISA says of which type each operator's result is.
  const Case cases[] = {
      {"1 + 2 * 3", 7},
      {"(1 + 2) * 3", 9},
      {"10 - 4 - 3", 3},
      {"2 * 7 % 4", 2},
      {"1 << 4 | 3", 19},
      {"-8 >> 1", static_cast<std::uint64_t>(-4)},
      {"0xfffffffffffffff8 >> 1", 0x7ffffffffffffffc},
      {"-7 / 2", static_cast<std::uint64_t>(-3)},
      {"(.u64)-1 / 2", 0x7fffffffffffffff},
      {"-1 < 1", 1},
      {"-1 < 1U", 0},
      {"1 ? 2 : 3", 2},
      {"0 ? 2 : 1 ? 4 : 5", 4},
      {"3 > 2 && 0", 0},
      {"0 || !0", 1},
      {"~5", static_cast<std::uint64_t>(~5LL)},
      {"6 & 3 ^ 1", 3},
      {"1 == 1 != 0", 1},
      {"0777", 511},
      {"0b101", 5},
      {"0xFFU", 255},
      {"0", 0},
      {"18446744073709551615", ~std::uint64_t{0}},
      {"WARP_SZ * 2", 64},
      {"1.5 + 1", 0x4004000000000000},
      {"-0.5", 0xbfe0000000000000},
      {"1e2", 0x4059000000000000},
      {"-0f3f800000", 0xbf800000},
      {"(-9223372036854775807 - 1) / -1", 0x8000000000000000},
  };
  for (const Case& each : cases) {
    INFO(each.text);
    CHECK(variable_of(".global .u64 x = " + std::string(each.text) + ";").initial[0].bits == each.bits);
  }
}

}  // namespace
}  // namespace heddle::ptx
