// Labels, targets, places and addresses follow when instructions come and go.
#include "isa/lower/edit.h"

#include "isa/text/assemble.h"
#include "isa/text/disassemble.h"
#include "tests/support/catch.h"

namespace heddle::lower {
namespace {

ir::Kernel loop() {
  ir::Kernel kernel = text::assemble(R"(
.kernel k
    MOV R0, 0x3
top:
    IADD3 R0, R0, -0x1, RZ
    ISETP.NE.AND P0, PT, R0, RZ, PT
@P0 BRA top
    MOV R1, top
    EXIT
)",
                                     "test.sass")[0];
  kernel.sources.clear();
  for (std::uint32_t pc = 0; pc < kernel.instructions.size(); ++pc)
    kernel.sources.push_back({0, 100 + pc, 1});
  return kernel;
}

ir::Instruction nop() { return {}; }

constexpr Pc kTop = 1;
constexpr Pc kBranch = 3;
constexpr Pc kAddress = 4;

TEST_CASE("who jumps to an instruction executes what was inserted before it") {
  ir::Kernel kernel = loop();
  KernelEdit edit(kernel);
  edit.insert_before(kTop, nop());
  CHECK(edit.insertions() == 1);
  edit.apply();
  REQUIRE(kernel.instructions.size() == 7);
  CHECK(kernel.instructions[1].opcode == ir::Opcode::Nop);
  CHECK(kernel.labels[0].pc == 1);
  CHECK(kernel.instructions[kBranch + 1].operands[1].value == 1);
  CHECK(kernel.instructions[kAddress + 1].operands[1].value == 1);
  CHECK(kernel.sources[1].line == 100 + kTop);
  CHECK(kernel.sources[2].line == 100 + kTop);
  CHECK(edit.empty());
}

TEST_CASE("who jumps to an instruction does not execute what was inserted behind the one before it") {
  ir::Kernel kernel = loop();
  KernelEdit edit(kernel);
  edit.insert_after(kTop - 1, nop());
  edit.apply();
  CHECK(kernel.instructions[1].opcode == ir::Opcode::Nop);
  CHECK(kernel.labels[0].pc == 2);
  CHECK(kernel.instructions[kBranch + 1].operands[1].value == 2);
  CHECK(kernel.sources[1].line == 100);
}

TEST_CASE("who jumps to an instruction that was removed goes on behind it") {
  ir::Kernel kernel = loop();
  KernelEdit edit(kernel);
  edit.remove(kTop);
  edit.remove(0);
  edit.apply();
  REQUIRE(kernel.instructions.size() == 4);
  CHECK(kernel.labels[0].pc == 0);
  CHECK(kernel.instructions[1].operands[1].value == 0);
  CHECK(kernel.sources[0].line == 102);
}

TEST_CASE("where values may be addresses of instructions, a removed one leaves a NOP") {
  ir::Kernel kernel = loop();
  for (std::uint64_t pc = 0; pc < kernel.instructions.size(); ++pc) kernel.addresses.push_back(16 * pc);
  KernelEdit edit(kernel);
  edit.remove(kTop);
  edit.insert_before(kTop, nop());
  edit.apply();
  REQUIRE(kernel.instructions.size() == 7);
  CHECK(kernel.instructions[2].opcode == ir::Opcode::Nop);
  CHECK(kernel.addresses == std::vector<std::uint64_t>{0, 16, 16, 32, 48, 64, 80});
}

}  // namespace
}  // namespace heddle::lower
