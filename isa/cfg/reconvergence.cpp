#include "isa/cfg/reconvergence.h"

#include "isa/cfg/flow_graph.h"
#include "isa/cfg/postdominators.h"

namespace heddle::cfg {

std::vector<Pc> reconvergence_points(const ir::Kernel& kernel) {
  const FlowGraph graph = make_flow_graph(kernel);
  const std::vector<BlockIndex> postdominators = immediate_postdominators(graph);
  std::vector<Pc> points(kernel.instructions.size(), kNoReconvergence);
  for (BlockIndex block = 0; block < graph.blocks.size(); ++block) {
    const Pc last = graph.blocks[block].end - 1;
    const bool branches = ir::info(kernel.instructions[last].opcode).action == ir::Action::Branch;
    const BlockIndex meeting = postdominators[block];
    if (branches && meeting != kEndOfKernel) points[last] = graph.blocks[meeting].begin;
  }
  return points;
}

}  // namespace heddle::cfg
