// Text that is no PTX: each mistake is said with its line and column, and others are found behind it.
#include <algorithm>

#include "tests/isa/ptx/reading.h"

namespace heddle::ptx {
namespace {

using namespace test;

struct Case {
  std::string text;  // behind the head, from line 4 on
  std::uint32_t line;
  std::uint32_t column;
  std::string message;
};

void check(const Case& each) {
  INFO(each.text);
  const std::vector<Diagnostic> mistakes = mistakes_of(kHead + each.text);
  REQUIRE(!mistakes.empty());
  CHECK(mistakes[0].where.file == "k.ptx");
  CHECK(mistakes[0].where.line == each.line);
  CHECK(mistakes[0].where.column == each.column);
  CHECK(mistakes[0].message == each.message);
}

TEST_CASE("PTX: mistakes in directives") {
  const Case cases[] = {
      {"kernel k() { }", 4, 1,
       "expected a directive such as .visible, .entry, .func or .global, found 'kernel'"},
      {".visible nothing", 4, 10,
       "expected '.entry', '.func' or a state space such as '.global', found 'nothing'"},
      {".global .u32;", 4, 13, "expected a name, found ';'"},
      {".global x;", 4, 9, "expected a type such as .b32, found 'x'"},
      {".global .quad x;", 4, 9, "'.quad' is no type"},
      {".global .u32 .u32 x;", 4, 14, "a variable has one type"},
      {".global .align 3 .u32 x;", 4, 16, "an alignment is a power of two, found 3"},
      {".global .u32 x[2][];", 4, 18, "only the first dimension of an array may be left open"},
      {".global .u32 x[-1];", 4, 16, "expected an array's size, found '-'"},
      {".global .b8 x[1099511627777];", 4, 15,
       "an array's size may be at most 1099511627776, found 1099511627777"},
      {".global .u32 x[1099511627776];", 4, 15, "'x' is larger than 1 TiB"},
      {".global .u32 x[4294967296][4294967296][0];", 4, 27, "'x' is larger than 1 TiB"},
      {".global .u32 x\n.global .u32 y;", 5, 1, "expected ',' or ';', found '.global'"},
      {".global .u32 x; .global .u32 x;", 4, 30, "'x' is declared twice"},
      {".global .u32 x[2] = {1, 2, 3};", 4, 28, "more values than 'x' has elements"},
      {".global .u32 x[2][2] = {{1, 2, 3}};", 4, 32, "more values than 'x' has elements"},
      {".global .u32 x[2] = {{1}, 2};", 4, 22, "more braces than 'x' has dimensions"},
      {".global .u32 x = y;", 4, 18, "'y' is not declared"},
      {".global .u32 x = 1 / 0;", 4, 20, "division by zero"},
      {".global .u32 x = 1.5 % 2;", 4, 22, "'%' needs integers"},
      {".global .u32 x = 99999999999999999999;", 4, 18, "'99999999999999999999' is no number of 64 bits"},
      {".global .u32 x = 089;", 4, 18, "'089' is no number of 64 bits"},
      {".global .u32 x = 0f12;", 4, 18, "'0f12' is no number of 64 bits"},
      {".local .u32 x;", 4, 1, "'.local' stands in functions only"},
      {".entry k(.global .u32 x) { }", 4, 23, "a parameter is .param or .reg"},
      {".entry k(.param .u32 x { }", 4, 24, "expected ',' or ')', found '{'"},
      {".entry k(.param .u32 x, .param .u32 x) { }", 4, 37, "'x' is declared twice"},
      {".entry k() ret;", 4, 12, "expected '{' or ';', found 'ret'"},
      {".entry k() { }\n.entry k() { }", 5, 8, "'k' is defined twice; its first body is in line 4"},
      {".func f(.param .b32 x);\n.func f() { }", 5, 7, "'f' is declared otherwise in line 4"},
      {".entry k() {\n ret;\n", 6, 1, "the body of 'k', which begins in line 4, never ends"},
      {".section .debug_info { .b8 1", 4, 22, "a section that never ends: '{' without '}'"},
      {".file 1 a.cu", 4, 9, "expected a path in quotes, found 'a'"},
      {"/* comment", 4, 1,
       "expected a directive such as .visible, .entry, .func or .global, found a comment that never ends: '/*' without '*/'"},
      {".file 1 \"a.cu\n", 4, 9, "expected a path in quotes, found a string that does not end on its line"},
  };
  for (const Case& each : cases) check(each);
}

TEST_CASE("PTX: mistakes of the head") {
  CHECK(mistakes_of("")[0].message == "a PTX file begins with .version");
  CHECK(mistakes_of(".target sm_80")[0].where.column == 1);
  CHECK(mistakes_of(".version 8\n")[0].message == "expected a version such as 8.0, found '8'");
  CHECK(mistakes_of(".version 8.0\n.target 80")[0].message == "expected a target such as sm_80, found '80'");
  CHECK(mistakes_of(".version 8.0\n.address_size 16")[0].message == "an address size is 32 or 64, found 16");
}

TEST_CASE("PTX: mistakes in bodies") {
  const Case cases[] = {
      {"add.s32 %r1, %r2, %r20;", 5, 19, "'%r20' is not declared; %r<20> are %r0 to %r19"},
      {"add.s32 %r1, %r2, %r01;", 5, 19, "'%r01' is not declared"},
      {"add.s32 %r1, %x, 1;", 5, 14, "'%x' is not declared"},
      {"add.s32 %r1, , 1;", 5, 14, "expected an operand, found ','"},
      {"add.s32 %r1 %r2;", 5, 13, "expected ',' or ';', found '%r2'"},
      {"add.s32 %r1, %r2\nret;", 6, 1, "expected ',' or ';', found 'ret'"},
      {"mov.f32 %f1, %v.q;", 5, 16,
       "'.q' is no part of a register; expected .x, .y, .z, .w, or .b0 and .h0 in video instructions"},
      {"mov.u32 %r1, %tid.b0;", 5, 18,
       "'.b0' is no part of a register; expected .x, .y, .z, .w, or .b0 and .h0 in video instructions"},
      {"@%r1 ret;", 5, 2, "'%r1' is a register of type .b32; expected a predicate"},
      {"@%p1 ;", 5, 6, "expected an instruction, found ';'"},
      {"ld.u32 %r1, [];", 5, 14, "expected an address, found ']'"},
      {"ld.u32 %r1, [%tid];", 5, 14, "'%tid' is no address; expected a register, a variable or a number"},
      {"ld.u32 %r1, [%rd1+%r2];", 5, 19, "expected a number, found '%r2'"},
      {"ld.u32 %r1, [%rd1;", 5, 18, "expected ',' or ']', found ';'"},
      {"mov.b64 %rd1, {%r1, %r2;", 5, 24, "expected ',' or '}', found ';'"},
      {"mov.b64 %rd1, {%r1, {%r2}};", 5, 21, "expected an operand, found '{'"},
      {"bra nowhere;", 5, 5, "the label 'nowhere' is not defined"},
      {"bra L; { L: ret; }", 5, 5, "the label 'L' is not defined"},
      {"L: ret; L: ret;", 5, 9, "the label 'L' is defined twice"},
      {"T: .branchtargets L; L: bra T;", 5, 29, "'T' is not the label of an instruction"},
      {"L: brx.idx %r1, L;", 5, 17, "'L' is not the label of .branchtargets"},
      {"call missing;", 5, 6, "'missing' is not declared"},
      {"call 5;", 5, 6, "expected a function, found '5'"},
      {"T: .calltargets a;", 5, 17, "'a' is no function"},
      {".reg .b32 %q; .reg .b32 %q;", 5, 25, "'%q' is declared twice"},
      {".reg .b32 %q<4294967296>;", 5, 14,
       "'4294967296' is no number of registers; at most 4294967295 are possible"},
      {".loc 1 2", 6, 1, "expected the number of a column, found '}'"},
      {"\x01", 5, 1, "expected an instruction, a label or a directive, found '\\x01'"},
      {"5;", 5, 1, "expected an instruction, a label or a directive, found '5'"},
  };
  for (const Case& each : cases) {
    check({".visible .entry k(.param .u64 a) {" + std::string(kRegisters) + "\n" + each.text + "\n}\n",
           each.line, each.column, each.message});
  }
}

TEST_CASE("PTX: reading goes on behind a mistake, in the body and in the module") {
  const std::vector<Diagnostic> mistakes = mistakes_of(std::string(kHead) + R"(.global .u32 = 1;
.entry a() {
  .reg .b32 %r<4>;
  add.s32 %r1, %r2, ;
  { mov.b32 %r1, {%r2, %x}; }
  bra nowhere;
  ret;
}
.entry b( { ret; }
.entry c() { add.s32 %r1, 1, 2; }
)");
  const std::uint32_t lines[] = {4, 7, 8, 9, 12, 13};
  REQUIRE(mistakes.size() == 6);
  for (std::size_t i = 0; i < 6; ++i) CHECK(mistakes[i].where.line == lines[i]);
  CHECK(mistakes[1].source_line == "  add.s32 %r1, %r2, ;");
}

TEST_CASE("PTX: behind a mistake in the head, the next line is read") {
  const std::vector<Diagnostic> mistakes = mistakes_of(
      ".version eight\n.target\n.file 1\n.global .u32 x;\n.global .u64 p = x;\n.global .u64 q = y;");
  const std::uint32_t lines[] = {1, 3, 4, 6};
  REQUIRE(mistakes.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) CHECK(mistakes[i].where.line == lines[i]);
}

TEST_CASE("PTX: a file that is no PTX at all is not listed line by line") {
  std::string text = kHead;
  for (int i = 0; i < 1000; ++i) text += "word;\n";
  const std::vector<Diagnostic> mistakes = mistakes_of(text);
  REQUIRE(mistakes.size() == 101);
  CHECK(mistakes.back().message == "stopped after 100 mistakes; there may be more");
}

TEST_CASE("PTX: expressions cannot be nested without end") {
  for (const std::string& piece : {std::string("("), std::string("-"), std::string("1?")}) {
    std::string text = std::string(kHead) + ".global .u32 x = ";
    for (int i = 0; i < 100000; ++i) text += piece;
    const std::vector<Diagnostic> mistakes = mistakes_of(text + "1;");
    REQUIRE(!mistakes.empty());
    CHECK(mistakes[0].message == "an expression may be nested 64 deep");
  }
}

}  // namespace
}  // namespace heddle::ptx
