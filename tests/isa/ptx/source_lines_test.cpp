// .loc: chapter 11.5 of the PTX ISA.
#include "tests/isa/ptx/reading.h"

namespace heddle::ptx {
namespace {

using namespace test;

TEST_CASE("PTX: instructions have the line of the last .loc, those before it none") {
  const Module module = body_of("ret;\n.loc 1 10 5\nret;\nret;\n.loc 2 20 0\nret;\n.loc 1 10 5\nret;");
  const Function& kernel = module.functions[0];
  REQUIRE(kernel.body.size() == 5);
  CHECK(kernel.body[0].source == kNone);
  const SourceLine& first = kernel.source_lines[kernel.body[1].source];
  CHECK(first.file == 1);
  CHECK(first.line == 10);
  CHECK(first.column == 5);
  CHECK(first.inlined_at == kNone);
  CHECK(first.function.empty());
  CHECK(kernel.body[2].source == kernel.body[1].source);
  CHECK(kernel.source_lines[kernel.body[3].source].file == 2);
  CHECK(kernel.body[4].source == kernel.body[1].source);
  CHECK(kernel.source_lines.size() == 2);
}

TEST_CASE("PTX: each function begins without a line") {
  const Module module = module_of(".entry a() { .loc 1 2 3\n ret; } .entry b() { ret; }");
  CHECK(module.functions[1].body[0].source == kNone);
  CHECK(module.functions[1].source_lines.empty());
}

TEST_CASE("PTX: a chain of inlined functions, whose names are in .debug_str") {
  const Module module = module_of(R"(.entry k() {
  .loc 1 30 7
  ret;
  .loc 1 20 5, function_name $L__info_string1, inlined_at 1 30 7
  ret;
  .loc 2 10 3, function_name $L__info_string0+2, inlined_at 1 20 5
  ret;
  .loc 2 11 3, function_name $L__nowhere, inlined_at 1 99 9
  ret;
}
.section .debug_str
{
$L__info_string0:
.b8 120,121 // xy
.b8 105,110,0
$L__info_string1:
.b8 109,105,100,0
}
)");
  const Function& kernel = module.functions[0];
  const SourceLine* line = &kernel.source_lines[kernel.body[2].source];
  CHECK(line->function == "in");
  CHECK(line->line == 10);
  REQUIRE(line->inlined_at != kNone);
  line = &kernel.source_lines[line->inlined_at];
  CHECK(line->function == "mid");
  CHECK(line->line == 20);
  REQUIRE(line->inlined_at != kNone);
  line = &kernel.source_lines[line->inlined_at];
  CHECK(line->function.empty());
  CHECK(line->line == 30);
  CHECK(line->inlined_at == kNone);
  // A call that no .loc has named is a line nevertheless; a name that is not there stays a label.
  const SourceLine& lost = kernel.source_lines[kernel.body[3].source];
  CHECK(lost.function == "$L__nowhere");
  CHECK(kernel.source_lines[lost.inlined_at].line == 99);
}

}  // namespace
}  // namespace heddle::ptx
