#include "isa/cfg/flow_graph.h"

#include <algorithm>

#include "isa/ir/condition.h"

namespace heddle::cfg {

namespace {

/// The successors of an instruction in its kernel.
struct Flow {
  bool falls_through = true;
  bool jumps = false;
  bool jumps_anywhere = false;
  Pc target = 0;
};

Pc target_of(const ir::Instruction& instruction) {
  const ir::OpcodeInfo& row = ir::info(instruction.opcode);
  const auto* place = std::find(row.operands.begin(), row.operands.end(), ir::OperandRole::Target);
  return static_cast<Pc>(instruction.operands[static_cast<std::size_t>(place - row.operands.begin())].value);
}

/// By Pc: the reconvergence point of the innermost BSSY around the instruction, as they are nested in the
/// text; the end of the kernel if there is none.
std::vector<Pc> joins_around(const ir::Kernel& kernel) {
  std::vector<Pc> joins;
  std::vector<Pc> open;
  const auto size = static_cast<Pc>(kernel.instructions.size());
  for (Pc pc = 0; pc < size; ++pc) {
    while (!open.empty() && open.back() <= pc) open.pop_back();
    joins.push_back(open.empty() ? size : open.back());
    const ir::Instruction& instruction = kernel.instructions[pc];
    if (ir::info(instruction.opcode).action == ir::Action::Arm) open.push_back(target_of(instruction));
  }
  return joins;
}

/// `join` is where an indirect jump leads if excursions are stepped over; `end` if there is no such place.
Flow flow_of(const ir::Instruction& instruction, Excursions excursions, Pc join, Pc end) {
  const ir::Action action = ir::info(instruction.opcode).action;
  const bool guarded = !ir::is_unconditional(instruction);
  const bool stepped_over = excursions == Excursions::SteppedOver;
  switch (action) {
    case ir::Action::Exit:
    case ir::Action::Return: return {guarded, false, false, 0};
    case ir::Action::Branch: return {guarded, true, false, target_of(instruction)};
    case ir::Action::IndirectBranch:
      if (stepped_over && join != end) return {guarded, true, false, join};
      return {guarded, false, true, 0};
    case ir::Action::Call:
      if (stepped_over) return {};
      return {true, true, false, target_of(instruction)};
    default: return {};
  }
}

/// The flow of each instruction, by Pc.
std::vector<Flow> flows_of(const ir::Kernel& kernel, Excursions excursions) {
  std::vector<Flow> flows;
  const std::vector<Pc> joins = joins_around(kernel);
  const auto size = static_cast<Pc>(kernel.instructions.size());
  for (Pc pc = 0; pc < size; ++pc) {
    flows.push_back(flow_of(kernel.instructions[pc], excursions, joins[pc], size));
  }
  return flows;
}

bool ends_block(const Flow& flow) { return flow.jumps || flow.jumps_anywhere || !flow.falls_through; }

/// By Pc: whether a basic block begins there.
std::vector<bool> block_begins(const ir::Kernel& kernel, const std::vector<Flow>& flows) {
  const std::size_t size = kernel.instructions.size();
  std::vector<bool> begins(size + 1, false);
  begins[0] = true;
  bool any_label = false;
  for (std::size_t pc = 0; pc < size; ++pc) {
    const ir::Instruction& instruction = kernel.instructions[pc];
    const Flow& flow = flows[pc];
    if (flow.jumps && flow.target < size) begins[flow.target] = true;
    if (ends_block(flow)) begins[pc + 1] = true;
    if (ir::info(instruction.opcode).action == ir::Action::Call) begins[target_of(instruction)] = true;
    any_label = any_label || flow.jumps_anywhere;
  }
  if (any_label) {
    for (const ir::Label& label : kernel.labels) begins[label.pc] = true;
  }
  return begins;
}

void split_into_blocks(const ir::Kernel& kernel, const std::vector<Flow>& flows, FlowGraph& graph) {
  const std::vector<bool> begins = block_begins(kernel, flows);
  const auto size = static_cast<Pc>(kernel.instructions.size());
  for (Pc pc = 0; pc < size; ++pc) {
    if (begins[pc]) graph.blocks.push_back({pc, pc, {}, {}});
    graph.blocks.back().end = pc + 1;
    graph.block_of.push_back(static_cast<BlockIndex>(graph.blocks.size() - 1));
  }
}

void add_edge(FlowGraph& graph, BlockIndex from, BlockIndex to) {
  std::vector<BlockIndex>& successors = graph.blocks[from].successors;
  if (std::find(successors.begin(), successors.end(), to) != successors.end()) return;
  successors.push_back(to);
  graph.blocks[to].predecessors.push_back(from);
}

void connect(FlowGraph& graph, BlockIndex from, Pc to) {
  if (to < graph.block_of.size()) add_edge(graph, from, graph.block_of[to]);
}

bool has_guarded_exit(const ir::Kernel& kernel, const BasicBlock& block) {
  for (Pc pc = block.begin; pc < block.end; ++pc) {
    const ir::Action action = ir::info(kernel.instructions[pc].opcode).action;
    const bool leaves = action == ir::Action::Exit || action == ir::Action::Return;
    if (leaves && !ir::is_unconditional(kernel.instructions[pc])) return true;
  }
  return false;
}

/// Adds the block that stands for all indirect jumps. Labels are sorted by Pc, so that no edge is added
/// twice.
void add_hub(const ir::Kernel& kernel, FlowGraph& graph) {
  const auto hub = static_cast<BlockIndex>(graph.blocks.size());
  const auto end = static_cast<Pc>(kernel.instructions.size());
  graph.blocks.push_back({end, end, {}, {}});
  for (const ir::Label& label : kernel.labels) {
    const BlockIndex to = graph.block_of[label.pc];
    std::vector<BlockIndex>& successors = graph.blocks[hub].successors;
    if (!successors.empty() && successors.back() == to) continue;
    successors.push_back(to);
    graph.blocks[to].predecessors.push_back(hub);
  }
}

}  // namespace

FlowGraph make_flow_graph(const ir::Kernel& kernel, Excursions excursions) {
  FlowGraph graph;
  const std::vector<Flow> flows = flows_of(kernel, excursions);
  split_into_blocks(kernel, flows, graph);
  const auto blocks = static_cast<BlockIndex>(graph.blocks.size());
  for (BlockIndex block = 0; block < blocks; ++block) {
    const Pc end = graph.blocks[block].end;
    graph.blocks[block].may_exit = has_guarded_exit(kernel, graph.blocks[block]);
    const Flow& flow = flows[end - 1];
    if (flow.falls_through) connect(graph, block, end);
    if (flow.jumps) connect(graph, block, flow.target);
    if (!flow.jumps_anywhere) continue;
    if (graph.blocks.size() == blocks) add_hub(kernel, graph);
    add_edge(graph, block, blocks);
  }
  return graph;
}

}  // namespace heddle::cfg
