#include "isa/lower/keep_barriers.h"

#include <algorithm>
#include <vector>

#include "isa/lower/allocate_numbering.h"
#include "isa/lower/call_frames.h"
#include "isa/lower/called_functions.h"
#include "isa/lower/edit.h"
#include "isa/lower/operands.h"

namespace heddle::lower {

namespace {

static_assert(4 * kMostKeptBarriers == kBarrierBytes);

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

}  // namespace

void keep_barriers(ir::Kernel& kernel, ir::RegisterIndex stack) {
  const cfg::FlowGraph graph = cfg::make_flow_graph(kernel, cfg::Excursions::SteppedOver);
  const CalledFunctions functions(kernel, graph);
  Numbering numbering(kernel);
  const auto fresh = [&] { return numbering.fresh(ir::RegisterFile::General, 1, Lifetime::Long); };
  KernelEdit edit(kernel);
  for (std::uint32_t function = 1; function < functions.starts().size(); ++function) {
    if (!functions.is_recursive(function)) continue;
    const std::vector<Operand> barriers = barriers_of(kernel, graph, functions, function);
    const Pc begin = graph.blocks[functions.starts()[function]].begin;
    for (std::size_t n = 0; n < barriers.size(); ++n) {
      const Operand kept = reg(fresh());
      edit.insert_before(begin, instruction_of(ir::Opcode::BmovClear, {kept, barriers[n]}));
      edit.insert_before(begin, instruction_of(ir::Opcode::Stl, {place_of(n, stack), kept}));
    }
    for (Pc pc = 0; pc < kernel.instructions.size(); ++pc) {
      if (kernel.instructions[pc].opcode != ir::Opcode::Ret) continue;
      if (functions.function_of(graph.block_of[pc]) != function) continue;
      for (std::size_t n = 0; n < barriers.size(); ++n) {
        const Operand kept = reg(fresh());
        edit.insert_before(pc, instruction_of(ir::Opcode::Ldl, {kept, place_of(n, stack)}));
        edit.insert_before(pc, instruction_of(ir::Opcode::Bmov, {barriers[n], kept}));
      }
    }
  }
  edit.apply();
}

}  // namespace heddle::lower
