#include "isa/lower/predicate_branches.h"

#include <algorithm>

#include "isa/cfg/flow_graph.h"
#include "isa/ir/condition.h"
#include "isa/ir/registers.h"
#include "isa/lower/dependencies.h"
#include "isa/lower/edit.h"

namespace heddle::lower {

namespace {

constexpr Pc kMostGuarded = 8;

bool is_of_one_lane(const ir::Instruction& instruction) {
  switch (ir::info(instruction.opcode).action) {
    case ir::Action::Lanes:
    case ir::Action::LoadConstant:
    case ir::Action::Load:
    case ir::Action::Store:
    case ir::Action::Atomic:
      return true;
    case ir::Action::SpecialRegister:
      return !reads_clock(instruction);
    default:
      return false;
  }
}

bool writes_predicate(const ir::Instruction& instruction, ir::RegisterIndex predicate) {
  const ir::RegisterRuns runs = ir::registers_of(instruction);
  return std::any_of(runs.begin(), runs.end(), [&](const ir::RegisterRun& run) {
    const bool is_predicate =
        run.file == ir::RegisterFile::Predicate || run.file == ir::RegisterFile::UniformPredicate;
    return is_predicate && run.use == ir::RegisterRun::Use::Written && run.first == predicate;
  });
}

bool is_guarded_jump(const ir::Instruction& instruction) {
  return instruction.opcode == ir::Opcode::Bra && !instruction.guard.always() && !instruction.guard.never() &&
         ir::has_no_condition(instruction);
}

/// Whether the jump leads over the block that follows, and only the jump leads into it.
bool jumps_over(const ir::Instruction& jump, const cfg::FlowGraph& graph, const cfg::BasicBlock& body) {
  return jump.operands[1].value == body.end && body.predecessors.size() == 1 && body.successors.size() == 1 &&
         graph.blocks[body.successors[0]].begin == body.end;
}

bool can_be_guarded(const ir::Kernel& kernel, const cfg::BasicBlock& body, ir::RegisterIndex predicate) {
  if (body.end - body.begin > kMostGuarded) return false;
  const auto first = kernel.instructions.begin();
  return std::all_of(first + body.begin, first + body.end, [&](const ir::Instruction& instruction) {
    return instruction.guard.always() && is_of_one_lane(instruction) &&
           !writes_predicate(instruction, predicate);
  });
}

}  // namespace

void predicate_short_branches(ir::Kernel& kernel) {
  const cfg::FlowGraph graph = cfg::make_flow_graph(kernel);
  KernelEdit edit(kernel);
  for (cfg::BlockIndex i = 0; i + 1 < graph.blocks.size(); ++i) {
    const cfg::BasicBlock& block = graph.blocks[i];
    const cfg::BasicBlock& body = graph.blocks[i + 1];
    if (block.begin == block.end || body.begin != block.end || body.begin == body.end) continue;
    const ir::Instruction jump = kernel.instructions[block.end - 1];
    if (!is_guarded_jump(jump) || !jumps_over(jump, graph, body)) continue;
    if (!can_be_guarded(kernel, body, jump.guard.predicate)) continue;
    for (Pc pc = body.begin; pc < body.end; ++pc)
      kernel.instructions[pc].guard = {jump.guard.predicate, !jump.guard.negated};
    edit.remove(block.end - 1);
  }
  edit.apply();
}

}  // namespace heddle::lower
