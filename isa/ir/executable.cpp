#include "isa/ir/executable.h"

#include <fmt/format.h>

#include <utility>

#include "isa/base/diagnostic.h"
#include "isa/ir/registers.h"

namespace heddle::ir {

std::string why_not_executable(const Instruction& instruction) {
  const OpcodeInfo& row = info(instruction.opcode);
  if (!is_executable(row))
    return fmt::format("{} cannot be executed: such bulk copies are only replayed from traces", row.mnemonic);
  for (const RegisterRun& run : registers_of(instruction)) {
    if (!is_virtual(run.first)) continue;
    return fmt::format("{} names the virtual register {}: registers must be allocated before it is executed",
                       row.mnemonic, to_text({run.file, run.first}));
  }
  return {};
}

void require_executable(const Kernel& kernel) {
  constexpr std::size_t kMost = 100;
  Diagnostics refused;
  for (std::size_t pc = 0; pc < kernel.instructions.size() && refused.list().size() < kMost; ++pc) {
    std::string reason = why_not_executable(kernel.instructions[pc]);
    if (reason.empty()) continue;
    refused.add({kernel.file, kernel.instructions[pc].line},
                fmt::format("kernel '{}', instruction {}: {}", kernel.name, pc, std::move(reason)));
  }
  refused.throw_if_any();
}

}  // namespace heddle::ir
