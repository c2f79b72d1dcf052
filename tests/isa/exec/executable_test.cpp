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
  const Launch launch = launch_of({instruction(ir::Opcode::SyncsPhasechk, 3), instruction(ir::Opcode::Nop, 4),
                                   instruction(ir::Opcode::Utmaldg, 5), instruction(ir::Opcode::Exit, 6)});
  CHECK_THROWS_WITH(
      decode(launch, 32, Divergence::Barriers),
      "made.ptx:3: error: kernel 'made', instruction 0: SYNCS.PHASECHK.TRANS64 cannot be executed: "
      "mbarriers, bulk copies and barriers of clusters are only replayed from traces\n"
      "made.ptx:5: error: kernel 'made', instruction 2: UTMALDG cannot be executed: "
      "mbarriers, bulk copies and barriers of clusters are only replayed from traces\n");
  CHECK_NOTHROW(decode(launch_of({instruction(ir::Opcode::Exit, 1)}), 32, Divergence::Barriers));
}

TEST_CASE("a row is executable or known from traces only, and says which") {
  unsigned refused = 0;
  for (std::size_t i = 0; i < ir::kOpcodes; ++i) {
    const auto opcode = static_cast<ir::Opcode>(i);
    const bool is_executable = ir::is_executable(ir::info(opcode).action);
    CAPTURE(ir::info(opcode).mnemonic);
    CHECK(ir::why_not_executable(instruction(opcode, 1)).empty() == is_executable);
    refused += is_executable ? 0 : 1;
  }
  CHECK(refused == 15);
}

}  // namespace
}  // namespace heddle::exec
