// Directives of a module and of functions' heads, as chapter 11 of the PTX ISA has them.
#include "tests/isa/ptx/reading.h"

namespace heddle::ptx {
namespace {

using namespace test;

TEST_CASE("PTX: the head names version, targets and the size of addresses") {
  const Module module =
      read_module(".version 7.5\n.target sm_80, texmode_independent, debug\n.address_size 32\n", "m.ptx");
  CHECK(module.file == "m.ptx");
  CHECK(module.version_major == 7);
  CHECK(module.version_minor == 5);
  CHECK(module.targets == std::vector<std::string>{"sm_80", "texmode_independent", "debug"});
  CHECK(module.address_size == 32);
  CHECK(module.functions.empty());
}

TEST_CASE("PTX: files are listed by their numbers, with or without time and size") {
  const Module module = module_of(".file 1 \"a.cu\"\n.file 7 \"/x y/b.h\", 1339013327, 64118\n");
  REQUIRE(module.files.size() == 2);
  CHECK(module.files[0].number == 1);
  CHECK(module.files[0].path == "a.cu");
  CHECK(module.files[1].number == 7);
  CHECK(module.files[1].path == "/x y/b.h");
}

TEST_CASE("PTX: a kernel has its parameters, performance directives and linkage") {
  const Module module = module_of(R"(
.visible .entry k(
  .param .u64 .ptr .global .align 16 p,
  .param .align 8 .b8 s[24],
  .param .f32 x
)
.maxntid 256, 2, 1
.minnctapersm 4
.maxnreg 64
.reqnctapercluster 2
.explicitcluster
.pragma "nounroll", "other";
{
  ret;
})");
  REQUIRE(module.functions.size() == 1);
  const Function& kernel = module.functions[0];
  CHECK(kernel.name == "k");
  CHECK(kernel.is_entry);
  CHECK(kernel.has_body);
  CHECK(kernel.linkage == Linkage::Visible);
  CHECK(kernel.place.line == 5);
  CHECK(kernel.place.column == 17);
  REQUIRE(kernel.parameters.size() == 3);
  CHECK(kernel.parameters[0].pointer.is_pointer);
  CHECK(kernel.parameters[0].pointer.space == StateSpace::Global);
  CHECK(kernel.parameters[0].pointer.alignment == 16);
  CHECK(kernel.parameters[0].alignment == 8);
  CHECK(kernel.parameters[1].bytes() == 24);
  CHECK(kernel.parameters[1].alignment == 8);
  CHECK_FALSE(kernel.parameters[1].pointer.is_pointer);
  CHECK(kernel.parameters[2].type == Modifier::F32);
  REQUIRE(kernel.directives.size() == 6);
  CHECK(kernel.directives[0].name == "maxntid");
  CHECK(kernel.directives[0].numbers == std::vector<std::uint64_t>{256, 2, 1});
  CHECK(kernel.directives[1].name == "minnctapersm");
  CHECK(kernel.directives[2].numbers == std::vector<std::uint64_t>{64});
  CHECK(kernel.directives[4].name == "explicitcluster");
  CHECK(kernel.directives[4].numbers.empty());
  CHECK(kernel.directives[5].texts == std::vector<std::string>{"nounroll", "other"});
}

TEST_CASE("PTX: a pointer parameter need not name space or alignment") {
  const Module module =
      module_of(".entry k(.param .u64 .ptr p, .param .u64 .ptr .shared q, .param .u64 .ptr .align 4 r) { }");
  const std::vector<Variable>& parameters = module.functions[0].parameters;
  REQUIRE(parameters.size() == 3);
  CHECK(parameters[0].pointer.space == StateSpace::Generic);
  CHECK(parameters[0].pointer.alignment == 0);
  CHECK(parameters[1].pointer.space == StateSpace::Shared);
  CHECK(parameters[2].pointer.alignment == 4);
}

TEST_CASE("PTX: a kernel may have no list of parameters, a function no parameters and no result") {
  const Module module = module_of(".entry k { ret; } .func f { ret; } .func g() { ret; }");
  REQUIRE(module.functions.size() == 3);
  for (const Function& function : module.functions) CHECK(function.parameters.empty());
  CHECK_FALSE(module.functions[1].is_entry);
}

TEST_CASE("PTX: functions take and return registers or parameters") {
  const Module module = module_of(R"(
.func (.reg .u32 r) inc(.reg .u32 x, .reg .v2 .f32 y) { add.u32 r, x, 1; ret; }
.func (.param .align 4 .b8 o[8]) abi(.param .b32 i) .noreturn { trap; })");
  const Function& inc = module.functions[0];
  REQUIRE(inc.returns.size() == 1);
  CHECK(inc.returns[0].space == StateSpace::Reg);
  const Instruction& add = inc.body[0];
  CHECK(add.operands[0].reg == inc.returns[0].reg);
  CHECK(add.operands[1].reg == inc.parameters[0].reg);
  CHECK(inc.registers[inc.parameters[1].reg].vector_width == 2);
  CHECK(module.functions[1].returns[0].bytes() == 8);
  REQUIRE(module.functions[1].directives.size() == 1);
  CHECK(module.functions[1].directives[0].name == "noreturn");
}

TEST_CASE("PTX: a prototype and its definition are one function, in the place of the first") {
  const Module module = module_of(R"(
.extern .func (.param .b32 r) f(.param .b32 _);
.func g() { ret; }
.visible .func (.param .b32 r) f(.param .b32 x) { ret; }
.extern .func (.param .b32 r) f(.param .b32 _);)");
  REQUIRE(module.functions.size() == 2);
  CHECK(module.functions[0].name == "f");
  CHECK(module.functions[0].has_body);
  CHECK(module.functions[0].linkage == Linkage::Visible);
  CHECK(module.functions[0].parameters[0].name == "x");
  CHECK(module.functions[1].name == "g");
}

TEST_CASE("PTX: a prototype alone has no body") {
  const Module module = module_of(".extern .func (.param .b32 r) vprintf(.param .b64 _, .param .b64 _);");
  REQUIRE(module.functions.size() == 1);
  CHECK_FALSE(module.functions[0].has_body);
  CHECK(module.functions[0].linkage == Linkage::Extern);
  CHECK(module.functions[0].parameters.size() == 2);
}

TEST_CASE("PTX: attributes, aliases, pragmas of the module") {
  const Module module = module_of(R"(
.func .attribute(.unified(0xAB, 0xCD)) f() { ret; }
.func g();
.alias g, f;
.global .attribute(.managed) .u32 m;
.pragma "nounroll";)");
  REQUIRE(module.functions[0].directives.size() == 1);
  CHECK(module.functions[0].directives[0].name == "unified");
  CHECK(module.functions[0].directives[0].numbers == std::vector<std::uint64_t>{0xab, 0xcd});
  REQUIRE(module.aliases.size() == 1);
  CHECK(module.aliases[0].name == "g");
  CHECK(module.aliases[0].target == "f");
  REQUIRE(module.variables[0].attributes.size() == 1);
  CHECK(module.variables[0].attributes[0].name == "managed");
  REQUIRE(module.pragmas.size() == 1);
  CHECK(module.pragmas[0].texts == std::vector<std::string>{"nounroll"});
}

TEST_CASE("PTX: a directive that nobody knows is passed over with a note") {
  const Module module = module_of(R"(.language "CUDA"
.novel 1, "two", three;
.listed 1,
  2
.visible .entry k() {
  .inbody 5;
  ret;
})");
  CHECK(module.functions.size() == 1);
  CHECK(module.functions[0].body.size() == 1);
  REQUIRE(module.notes.size() == 4);
  CHECK(module.notes[0].text == "the directive '.language' is passed over");
  CHECK(module.notes[0].place.line == 4);
  CHECK(module.notes[1].place.line == 5);
  CHECK(module.notes[2].place.line == 6);
  CHECK(module.notes[3].place.line == 9);
}

TEST_CASE("PTX: comments, lines of preprocessors and debug sections say nothing") {
  const Module module = module_of(R"(# 1 "kernel.cu"
// .visible .entry no() { }
/* .global .u32 no;
   ** */ .global .u32 yes; // ;
  # pragma
.section .debug_abbrev
{
.b8 1 // abbreviation
.b32 $L__x+4
$L__x:
.section_like { }
}
.section .debug_loc { }
)");
  REQUIRE(module.variables.size() == 1);
  CHECK(module.variables[0].name == "yes");
  CHECK(module.variables[0].place.line == 7);
  CHECK(module.functions.empty());
  CHECK(module.notes.empty());
}

TEST_CASE("PTX: words of a directive may stand without blanks, and on any lines") {
  const Module module =
      module_of(".visible.entry k(.param.u32 a)\n{.reg.pred p;ret;}.global\n.align\n4\n.b8\nx[2]\n;");
  CHECK(module.functions[0].linkage == Linkage::Visible);
  CHECK(module.variables[0].bytes() == 2);
  const Module tight =
      read_module(".version 8.0.target sm_80.address_size 64.global.align 8.b8 x[2];", "k.ptx");
  CHECK(tight.version_minor == 0);
  CHECK(tight.address_size == 64);
  CHECK(tight.variables[0].alignment == 8);
}

TEST_CASE("PTX: line ends of Windows, a byte order mark, and the zeros behind an image in a fat binary") {
  const std::string text =
      "\xef\xbb\xbf.version 8.0\r\n.target sm_80\r\n// note\r\n.global .u32 x;\r\n" + std::string(5, '\0');
  const Module module = read_module(text, "k.ptx");
  REQUIRE(module.variables.size() == 1);
  CHECK(module.variables[0].place.line == 4);
  CHECK(module.variables[0].place.column == 14);
  CHECK_FALSE(mistakes_of(".version 8.0\n" + std::string(1, '\0') + ".target sm_80").empty());
}

TEST_CASE("PTX: the line of a place can be shown") {
  const Module module = module_of("\n.global .u32 x;\n");
  CHECK(source_line(module, module.variables[0].place) == ".global .u32 x;");
  CHECK(source_line(module, {1, 1}) == ".version 8.3");
  CHECK(source_line(module, {99, 1}).empty());
  CHECK(source_line(module, {}).empty());
}

}  // namespace
}  // namespace heddle::ptx
