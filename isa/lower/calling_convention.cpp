#include "isa/lower/calling_convention.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/base/diagnostic.h"
#include "isa/lower/allocate_rename.h"
#include "isa/lower/edit.h"
#include "isa/lower/operands.h"

namespace heddle::lower {

void take_arguments(ir::Kernel& function, const std::vector<PassedWord>& words,
                    const ir::RegisterIndex* places) {
  KernelEdit edit(function);
  for (std::size_t i = 0; i < words.size(); ++i)
    edit.insert_before(
        0, instruction_of(ir::Opcode::Mov, {reg(places[i] + words[i].word), reg(words[i].place)}));
  edit.apply();
}

void give_results(ir::Kernel& function, const std::vector<PassedWord>& words,
                  const ir::RegisterIndex* places) {
  const auto found = std::ranges::find(function.instructions, ir::Opcode::Ret, &ir::Instruction::opcode);
  const auto end = static_cast<Pc>(found - function.instructions.begin());
  KernelEdit edit(function);
  for (std::size_t i = 0; i < words.size(); ++i)
    edit.insert_before(
        end, instruction_of(ir::Opcode::Mov, {reg(words[i].place), reg(places[i] + words[i].word)}));
  edit.apply();
}

void number_as_called(ir::Kernel& function) {
  for (ir::Instruction& instruction : function.instructions) {
    for_each_register_name(instruction, [](ir::RegisterFile file, ir::RegisterIndex& index, unsigned, bool) {
      if (file == ir::RegisterFile::General) index += kFirstPassed;
    });
    if (instruction.opcode == ir::Opcode::Ret) instruction.operands[1] = reg(kReturnAddress);
    if (instruction.opcode == ir::Opcode::Bssy && instruction.operands[0].index >= kScratchBarriers)
      throw InputError({function.file}, fmt::format("function '{}' needs more than {} convergence barriers",
                                                    function.name, kScratchBarriers));
  }
  function.registers = kReturnAddress + 1;
}

}  // namespace heddle::lower
