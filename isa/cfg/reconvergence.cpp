#include "isa/cfg/reconvergence.h"

#include "isa/cfg/flow_graph.h"
#include "isa/cfg/dominators.h"

namespace heddle::cfg {

std::vector<Pc> reconvergence_points(const ir::Kernel& kernel) {
  const FlowGraph graph = make_flow_graph(kernel, Excursions::SteppedOver);
  const std::vector<BlockIndex> postdominators = immediate_postdominators(graph);
  std::vector<Pc> points(kernel.instructions.size(), kNoReconvergence);
  for (BlockIndex block = 0; block < graph.blocks.size(); ++block) {
    if (graph.blocks[block].begin == graph.blocks[block].end) continue;
    const Pc last = graph.blocks[block].end - 1;
    const ir::Action action = ir::info(kernel.instructions[last].opcode).action;
    const bool branches = action == ir::Action::Branch || action == ir::Action::IndirectBranch;
    BlockIndex meeting = postdominators[block];
    // The block that stands for indirect jumps has no instruction, so its own post-dominator is used.
    if (meeting != kEndOfKernel && graph.blocks[meeting].begin == points.size()) meeting = postdominators[meeting];
    if (branches && meeting != kEndOfKernel) points[last] = graph.blocks[meeting].begin;
  }
  return points;
}

std::vector<Pc> implicit_barriers(const ir::Kernel& kernel) {
  std::vector<bool> is_named(kernel.instructions.size(), false);
  for (const ir::Instruction& instruction : kernel.instructions) {
    if (ir::info(instruction.opcode).action == ir::Action::Arm) is_named[instruction.operands[1].value] = true;
  }
  std::vector<Pc> points = reconvergence_points(kernel);
  for (Pc& point : points) {
    if (point != kNoReconvergence && is_named[point]) point = kNoReconvergence;
  }
  return points;
}

}  // namespace heddle::cfg
