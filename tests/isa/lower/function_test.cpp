// Functions that machine code calls: what they may change is what nvcc's own code leaves to them
// (calling_convention.h).
#include <string>

#include "isa/base/diagnostic.h"
#include "isa/ir/registers.h"
#include "isa/ir/system_variables.h"
#include "isa/lower/lower_function.h"
#include "isa/lower/system_functions.h"
#include "tests/support/catch.h"

namespace heddle::lower {
namespace {

ir::Kernel lowered(const std::string& text, const std::string& name, unsigned capability) {
  return lower_function(ptx::read_module(text, "x.ptx"), name, {capability});
}

TEST_CASE(
    "Functions that machine code calls keep to R4 to R15, and to the predicates and barriers of no caller") {
  for (const std::string_view name : ir::kMachineCodeFunctions) {
    for (const unsigned capability : {75U, 80U, 90U}) {
      CAPTURE(name, capability);
      const ir::Kernel function = lowered(system_function(name), std::string(name), capability);
      CHECK(!function.is_entry);
      unsigned returns = 0;
      for (const ir::Instruction& instruction : function.instructions) {
        const bool is_return = instruction.opcode == ir::Opcode::Ret;
        returns += is_return ? 1 : 0;
        CHECK(instruction.opcode != ir::Opcode::Exit);
        if (instruction.opcode == ir::Opcode::Bssy) CHECK(instruction.operands[0].index < 6);
        for (const ir::RegisterRun& run : ir::registers_of(instruction)) {
          const bool is_general = run.file == ir::RegisterFile::General;
          CHECK((is_general || run.file == ir::RegisterFile::Predicate));
          if (!is_general) continue;
          if (is_return) {
            CHECK(run.first == 20);
          } else {
            CHECK(run.first >= 4);
            CHECK(run.first + run.count <= 16);
          }
        }
      }
      CHECK(returns == 1);
      CHECK(function.instructions.back().opcode == ir::Opcode::Ret);
    }
  }
}

TEST_CASE("Arguments lie as C lays them out, and a result of 64 bits takes two registers") {
  const ir::Kernel function = lowered(R"(.version 8.0
.target sm_70
.address_size 64
.func (.param .b64 sum) f (.param .b32 a, .param .b64 b)
{
  .reg .b32 %x;
  .reg .b64 %y, %z;
  ld.param.u32 %x, [a];
  ld.param.u64 %y, [b];
  mul.wide.u32 %z, %x, 3;
  add.u64 %y, %y, %z;
  st.param.b64 [sum], %y;
  ret;
}
)",
                                      "f", 80);
  bool reads[16] = {};
  bool writes[16] = {};
  for (const ir::Instruction& instruction : function.instructions) {
    const auto each = [&](bool written, auto use) {
      for (const ir::RegisterRun& run : ir::registers_of(instruction)) {
        const bool is_written = run.use == ir::RegisterRun::Use::Written;
        if (run.file != ir::RegisterFile::General || run.first >= 16 || is_written != written) continue;
        for (unsigned i = 0; i < run.count; ++i) use(run.first + i);
      }
    };
    each(false, [&](unsigned reg) { reads[reg] = reads[reg] || !writes[reg]; });
    each(true, [&](unsigned reg) { writes[reg] = true; });
  }
  // a in R4, b in R6 and R7: nothing else is read before it is written.
  for (unsigned i = 0; i < 16; ++i) CHECK(reads[i] == (i == 4 || i == 6 || i == 7));
  CHECK(writes[4]);
  CHECK(writes[5]);
}

TEST_CASE("What cannot be passed in registers so, and calls of itself, are refused") {
  const std::string head = ".version 8.0\n.target sm_70\n.address_size 64\n";
  CHECK_THROWS_WITH(lowered(head + ".func f (.param .b8 a) { ret; }", "f", 80),
                    Catch::Contains("must have 4 or 8 bytes"));
  CHECK_THROWS_WITH(lowered(head + ".func f () { call f; ret; }", "f", 80),
                    Catch::Contains("recursive calls are not supported"));
  CHECK_THROWS_WITH(lowered(head + ".entry f () { ret; }", "f", 80), Catch::Contains("no function 'f'"));
}

}  // namespace
}  // namespace heddle::lower
