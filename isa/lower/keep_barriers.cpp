#include "isa/lower/keep_barriers.h"

#include <algorithm>
#include <vector>

#include "isa/lower/call_frames.h"
#include "isa/ir/registers.h"
#include "isa/lower/called_functions.h"
#include "isa/lower/edit.h"
#include "isa/lower/operands.h"

namespace heddle::lower {

namespace {

static_assert(4 * kMostKeptBarriers == kBarrierBytes);

ir::Instruction make(ir::Opcode opcode, std::initializer_list<Operand> operands) {
  ir::Instruction made;
  made.opcode = opcode;
  std::copy(operands.begin(), operands.end(), made.operands.begin());
  return made;
}

/// The barriers that a function arms, each once.
std::vector<Operand> barriers_of(const ir::Kernel& kernel, const cfg::FlowGraph& graph,
                                 const CalledFunctions& functions, std::uint32_t function) {
  std::vector<Operand> barriers;
  for (Pc pc = 0; pc < kernel.instructions.size(); ++pc) {
    const ir::Instruction& instruction = kernel.instructions[pc];
    if (instruction.opcode != ir::Opcode::Bssy) continue;
    if (functions.function_of(graph.block_of[pc]) != function) continue;
    const Operand& one = instruction.operands[0];
    if (std::find(barriers.begin(), barriers.end(), one) == barriers.end()) barriers.push_back(one);
  }
  return barriers;
}

/// The word of the frame that a barrier is kept in.
Operand place_of(std::size_t n, ir::RegisterIndex stack) {
  return address(stack, 4 * static_cast<std::int64_t>(n) - static_cast<std::int64_t>(kBarrierBytes));
}

ir::RegisterIndex first_free(const ir::Kernel& kernel) {
  ir::RegisterIndex free = ir::kFirstVirtual;
  for (const ir::Instruction& instruction : kernel.instructions) {
    for (const ir::RegisterRun& run : ir::registers_of(instruction)) {
      if (run.file == ir::RegisterFile::General) free = std::max(free, run.first + run.count);
    }
  }
  return free;
}

}  // namespace

void keep_barriers(ir::Kernel& kernel, ir::RegisterIndex stack) {
  const cfg::FlowGraph graph = cfg::make_flow_graph(kernel, cfg::Excursions::SteppedOver);
  const CalledFunctions functions(kernel, graph);
  ir::RegisterIndex fresh = first_free(kernel);
  KernelEdit edit(kernel);
  for (std::uint32_t function = 1; function < functions.starts().size(); ++function) {
    if (!functions.is_recursive(function)) continue;
    const std::vector<Operand> barriers = barriers_of(kernel, graph, functions, function);
    const Pc begin = graph.blocks[functions.starts()[function]].begin;
    for (std::size_t n = 0; n < barriers.size(); ++n) {
      edit.insert_before(begin, make(ir::Opcode::BmovClear, {reg(fresh), barriers[n]}));
      edit.insert_before(begin, make(ir::Opcode::Stl, {place_of(n, stack), reg(fresh++)}));
    }
    for (Pc pc = 0; pc < kernel.instructions.size(); ++pc) {
      if (kernel.instructions[pc].opcode != ir::Opcode::Ret) continue;
      if (functions.function_of(graph.block_of[pc]) != function) continue;
      for (std::size_t n = 0; n < barriers.size(); ++n) {
        edit.insert_before(pc, make(ir::Opcode::Ldl, {reg(fresh), place_of(n, stack)}));
        edit.insert_before(pc, make(ir::Opcode::Bmov, {barriers[n], reg(fresh++)}));
      }
    }
  }
  edit.apply();
}

}  // namespace heddle::lower
