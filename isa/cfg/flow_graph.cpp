#include "isa/cfg/flow_graph.h"

#include <algorithm>

namespace heddle::cfg {

namespace {

/// Where lanes can go from an instruction, in its kernel.
struct Flow {
  bool falls_through = true;
  bool jumps = false;
  Pc target = 0;
};

Flow flow_of(const ir::Instruction& instruction) {
  const ir::OpcodeInfo& row = ir::info(instruction.opcode);
  Flow flow;
  if (row.action == ir::Action::Exit) flow.falls_through = !instruction.guard.always();
  if (row.action != ir::Action::Branch) return flow;
  flow.falls_through = !instruction.guard.always();
  const auto* place = std::find(row.operands.begin(), row.operands.end(), ir::OperandRole::Target);
  flow.jumps = true;
  flow.target =
      static_cast<Pc>(instruction.operands[static_cast<std::size_t>(place - row.operands.begin())].value);
  return flow;
}

bool ends_block(const Flow& flow) { return flow.jumps || !flow.falls_through; }

/// By Pc: whether a block begins there.
std::vector<bool> block_begins(const ir::Kernel& kernel) {
  const std::size_t size = kernel.instructions.size();
  std::vector<bool> begins(size + 1, false);
  begins[0] = true;
  for (std::size_t pc = 0; pc < size; ++pc) {
    const Flow flow = flow_of(kernel.instructions[pc]);
    if (flow.jumps && flow.target < size) begins[flow.target] = true;
    if (ends_block(flow)) begins[pc + 1] = true;
  }
  return begins;
}

void split_into_blocks(const ir::Kernel& kernel, FlowGraph& graph) {
  const std::vector<bool> begins = block_begins(kernel);
  const auto size = static_cast<Pc>(kernel.instructions.size());
  for (Pc pc = 0; pc < size; ++pc) {
    if (begins[pc]) graph.blocks.push_back({pc, pc, {}, {}});
    graph.blocks.back().end = pc + 1;
    graph.block_of.push_back(static_cast<BlockIndex>(graph.blocks.size() - 1));
  }
}

void connect(FlowGraph& graph, BlockIndex from, Pc to) {
  if (to >= graph.block_of.size()) return;
  std::vector<BlockIndex>& successors = graph.blocks[from].successors;
  const BlockIndex block = graph.block_of[to];
  if (std::find(successors.begin(), successors.end(), block) != successors.end()) return;
  successors.push_back(block);
  graph.blocks[block].predecessors.push_back(from);
}

}  // namespace

FlowGraph make_flow_graph(const ir::Kernel& kernel) {
  FlowGraph graph;
  split_into_blocks(kernel, graph);
  for (BlockIndex block = 0; block < graph.blocks.size(); ++block) {
    const Pc end = graph.blocks[block].end;
    const Flow flow = flow_of(kernel.instructions[end - 1]);
    if (flow.falls_through) connect(graph, block, end);
    if (flow.jumps) connect(graph, block, flow.target);
  }
  return graph;
}

}  // namespace heddle::cfg
