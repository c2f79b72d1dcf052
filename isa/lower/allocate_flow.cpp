#include "isa/lower/allocate_flow.h"

#include <algorithm>
#include <map>

#include "isa/cfg/loop.h"
#include "isa/ir/condition.h"

namespace heddle::lower {

namespace {

using cfg::BasicBlock;
using cfg::BlockIndex;
using cfg::FlowGraph;

bool is_action(const ir::Kernel& kernel, Pc pc, ir::Action action) {
  return ir::info(kernel.instructions[pc].opcode).action == action;
}

/// Where a block must be cut: behind each RET that some lanes go past.
std::vector<Pc> cuts_in(const ir::Kernel& kernel, const BasicBlock& block) {
  std::vector<Pc> cuts;
  for (Pc pc = block.begin; pc + 1 < block.end; ++pc) {
    if (is_action(kernel, pc, ir::Action::Return)) cuts.push_back(pc + 1);
  }
  return cuts;
}

/// The same graph with blocks that end at each RET.
FlowGraph cut_at_returns(const ir::Kernel& kernel, const FlowGraph& graph) {
  FlowGraph result;
  std::vector<BlockIndex> first_of;  // by old block: its first piece, and its last one
  std::vector<BlockIndex> last_of;
  for (const BasicBlock& block : graph.blocks) {
    first_of.push_back(static_cast<BlockIndex>(result.blocks.size()));
    Pc begin = block.begin;
    for (const Pc cut : cuts_in(kernel, block)) {
      result.blocks.push_back({begin, cut, {static_cast<BlockIndex>(result.blocks.size() + 1)}, {}});
      begin = cut;
    }
    last_of.push_back(static_cast<BlockIndex>(result.blocks.size()));
    result.blocks.push_back({begin, block.end, {}, {}});
  }
  for (BlockIndex old = 0; old < graph.blocks.size(); ++old) {
    for (const BlockIndex to : graph.blocks[old].successors)
      result.blocks[last_of[old]].successors.push_back(first_of[to]);
  }
  result.block_of.resize(kernel.instructions.size());
  for (BlockIndex index = 0; index < result.blocks.size(); ++index) {
    const BasicBlock& block = result.blocks[index];
    for (Pc pc = block.begin; pc < block.end; ++pc) result.block_of[pc] = index;
  }
  return result;
}

/// Connects calls with what they call, in a graph that has successors only.
class Calls {
 public:
  Calls(const ir::Kernel& kernel, FlowGraph& graph) : kernel_(kernel), graph_(graph) {}

  void connect() {
    std::vector<std::pair<BlockIndex, BlockIndex>> edges;  // to be added, so that none is followed before
    std::vector<BlockIndex> without_fall;
    for (BlockIndex block = 0; block < graph_.blocks.size(); ++block) {
      if (!calls(block)) continue;
      const BlockIndex behind = behind_of(block);
      const std::vector<BlockIndex>& returns = returns_of(callee_of(block));
      for (const BlockIndex from : returns) edges.emplace_back(from, behind);
      const bool always = ir::is_unconditional(kernel_.instructions[graph_.blocks[block].end - 1]);
      if (always && !returns.empty()) without_fall.push_back(block);
    }
    for (const BlockIndex block : without_fall) std::erase(graph_.blocks[block].successors, behind_of(block));
    for (const auto& [from, to] : edges) add_once(graph_.blocks[from].successors, to);
  }

 private:
  static void add_once(std::vector<BlockIndex>& list, BlockIndex block) {
    if (std::find(list.begin(), list.end(), block) == list.end()) list.push_back(block);
  }
  [[nodiscard]] bool ends_with(BlockIndex block, ir::Action action) const {
    const BasicBlock& row = graph_.blocks[block];
    return row.begin != row.end && is_action(kernel_, row.end - 1, action);
  }
  [[nodiscard]] bool calls(BlockIndex block) const {
    return ends_with(block, ir::Action::Call) && graph_.blocks[block].end < graph_.block_of.size();
  }
  [[nodiscard]] BlockIndex behind_of(BlockIndex block) const {
    return graph_.block_of[graph_.blocks[block].end];
  }
  [[nodiscard]] BlockIndex callee_of(BlockIndex block) const {
    const ir::Instruction& call = kernel_.instructions[graph_.blocks[block].end - 1];
    const ir::OpcodeInfo& row = ir::info(call.opcode);
    const auto* place = std::find(row.operands.begin(), row.operands.end(), ir::OperandRole::Target);
    return graph_.block_of[call.operands[static_cast<std::size_t>(place - row.operands.begin())].value];
  }

  /// The blocks in which the function that begins at `entry` returns.
  const std::vector<BlockIndex>& returns_of(BlockIndex entry) {
    const auto [found, is_new] = returns_.try_emplace(entry);
    if (!is_new) return found->second;
    std::vector<bool> seen(graph_.blocks.size(), false);
    std::vector<BlockIndex> open{entry};
    seen[entry] = true;
    while (!open.empty()) {
      const BlockIndex block = open.back();
      open.pop_back();
      if (ends_with(block, ir::Action::Return)) found->second.push_back(block);
      const bool steps_over = calls(block);
      for (const BlockIndex next : graph_.blocks[block].successors) {
        if ((steps_over && next != behind_of(block)) || seen[next]) continue;
        seen[next] = true;
        open.push_back(next);
      }
    }
    return found->second;
  }

  const ir::Kernel& kernel_;
  FlowGraph& graph_;
  std::map<BlockIndex, std::vector<BlockIndex>> returns_;
};

void add_predecessors(FlowGraph& graph) {
  for (BlockIndex block = 0; block < graph.blocks.size(); ++block) {
    for (const BlockIndex next : graph.blocks[block].successors)
      graph.blocks[next].predecessors.push_back(block);
  }
}

}  // namespace

cfg::FlowGraph make_calling_flow(const ir::Kernel& kernel) {
  FlowGraph graph = cut_at_returns(kernel, cfg::make_flow_graph(kernel));
  Calls(kernel, graph).connect();
  add_predecessors(graph);
  return graph;
}

std::vector<unsigned> loop_depths(const FlowGraph& graph) {
  std::vector<unsigned> depths(graph.blocks.size(), 0);
  std::vector<BlockIndex> seen_by(graph.blocks.size(), ~BlockIndex{0});
  for (const auto& [head, latches] : cfg::latches_by_head(graph)) {
    std::vector<BlockIndex> open = latches;
    seen_by[head] = head;
    ++depths[head];
    while (!open.empty()) {
      const BlockIndex block = open.back();
      open.pop_back();
      // What lies before the head in the text is no part of a loop that is written from its head on.
      if (seen_by[block] == head || block < head) continue;
      seen_by[block] = head;
      ++depths[block];
      open.insert(open.end(), graph.blocks[block].predecessors.begin(),
                  graph.blocks[block].predecessors.end());
    }
  }
  return depths;
}

}  // namespace heddle::lower
