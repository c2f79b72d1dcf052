// What is refused before it runs, wherever the instructions come from.
#include "isa/ir/executable.h"

#include "isa/exec/decode.h"
#include "tests/support/catch.h"

namespace heddle::exec {
namespace {

Launch launch_of(std::vector<ir::Instruction> instructions) {
  Launch launch;
  launch.kernel.name = "made";
  launch.kernel.file = "made.ptx";
  launch.kernel.registers = 1;
  launch.kernel.instructions = std::move(instructions);
  return launch;
}

ir::Instruction instruction(ir::Opcode opcode, std::uint32_t line) {
  ir::Instruction made;
  made.opcode = opcode;
  made.line = line;
  return made;
}

TEST_CASE("a kernel with instructions that only traces have is refused with the place of each") {
  const Launch launch = launch_of({instruction(ir::Opcode::UblkcpLoadAll, 3), instruction(ir::Opcode::Nop, 4),
                                   instruction(ir::Opcode::UblkcpLoadAll, 5), instruction(ir::Opcode::Exit, 6)});
  CHECK_THROWS_WITH(
      decode(launch, 32, Divergence::Barriers),
      "made.ptx:3: error: kernel 'made', instruction 0: UBLKCP.T.S.G cannot be executed: "
      "such bulk copies are only replayed from traces\n"
      "made.ptx:5: error: kernel 'made', instruction 2: UBLKCP.T.S.G cannot be executed: "
      "such bulk copies are only replayed from traces\n");
  CHECK_NOTHROW(decode(launch_of({instruction(ir::Opcode::Exit, 1)}), 32, Divergence::Barriers));
}

TEST_CASE("a kernel that names virtual registers is refused, wherever they stand") {
  ir::Instruction move = instruction(ir::Opcode::Mov, 7);
  move.operands[0] = ir::Operand{ir::Operand::Kind::Register, ir::kFirstVirtual + 4};
  move.operands[1] = ir::Operand{ir::Operand::Kind::Register, 0};
  CHECK_THROWS_WITH(
      decode(launch_of({move, instruction(ir::Opcode::Exit, 8)}), 32, Divergence::Barriers),
      "made.ptx:7: error: kernel 'made', instruction 0: MOV names the virtual register %r4: registers "
      "must be allocated before it is executed\n");
  ir::Instruction guarded = instruction(ir::Opcode::Exit, 9);
  guarded.guard.predicate = ir::kFirstVirtual;
  CHECK(ir::why_not_executable(guarded).find("EXIT names the virtual register %p0") == 0);
  ir::Instruction load = instruction(ir::Opcode::Lds, 10);
  load.operands[1].kind = ir::Operand::Kind::Address;
  load.operands[1].index = ir::kRegisterZero;
  load.operands[1].uniform = ir::kFirstVirtual + 9;
  load.operands[0] = ir::Operand{ir::Operand::Kind::Register, 0};
  CHECK(ir::why_not_executable(load).find("LDS names the virtual register %ur9") == 0);
}

TEST_CASE("a row is executable or known from traces only, and says which") {
  unsigned refused = 0;
  for (std::size_t i = 0; i < ir::kOpcodes; ++i) {
    const auto opcode = static_cast<ir::Opcode>(i);
    const bool is_executable = ir::is_executable(ir::info(opcode));
    CAPTURE(ir::info(opcode).mnemonic);
    CHECK(ir::why_not_executable(instruction(opcode, 1)).empty() == is_executable);
    refused += is_executable ? 0 : 1;
  }
  CHECK(refused == 1);
}

}  // namespace
}  // namespace heddle::exec
