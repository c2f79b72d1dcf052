#include "isa/cfg/loop.h"

namespace heddle::cfg {

using ir::Action;

namespace {

Action last_action(const ir::Kernel& kernel, const BasicBlock& block) {
  return block.end == block.begin ? Action::Nop : ir::info(kernel.instructions[block.end - 1].opcode).action;
}

}  // namespace

Loop::Loop(const ir::Kernel& kernel, const FlowGraph& graph, BlockIndex head,
           const std::vector<BlockIndex>& latches)
    : kernel_(kernel), graph_(graph), number_(graph.blocks.size(), kOutside) {
  number_[head] = 0;
  std::vector<BlockIndex> open;
  for (const BlockIndex latch : latches) add(latch, open);
  while (!open.empty()) {
    const BlockIndex block = open.back();
    open.pop_back();
    for (const BlockIndex before : graph.blocks[block].predecessors) add(before, open);
  }
  add_callees();
  add_blocks();
  add_edges();
}

void Loop::add(BlockIndex block, std::vector<BlockIndex>& open) {
  if (has(block)) return;
  number_[block] = 0;
  open.push_back(block);
}

bool Loop::calls(BlockIndex block) const {
  return last_action(kernel_, graph_.blocks[block]) == Action::Call;
}

void Loop::add_callees() {
  std::vector<BlockIndex> called;
  for (BlockIndex block = 0; block < graph_.blocks.size(); ++block) {
    if (!has(block) || !calls(block)) continue;
    for (const BlockIndex to : graph_.blocks[block].successors) {
      if (graph_.blocks[to].begin != graph_.blocks[block].end) add(to, called);
    }
  }
  for (std::size_t next = 0; next < called.size(); ++next) {
    const BasicBlock& block = graph_.blocks[called[next]];
    if (last_action(kernel_, block) == Action::Return) returns_.push_back(called[next]);
    for (const BlockIndex to : block.successors) add(to, called);
  }
}

/// Behind the blocks of the loop comes one block that stands for the return from calls.
void Loop::add_blocks() {
  for (BlockIndex index = 0; index < graph_.blocks.size(); ++index) {
    if (!has(index)) continue;
    number_[index] = static_cast<std::uint32_t>(blocks_.size());
    const BasicBlock& block = graph_.blocks[index];
    blocks_.push_back({block.begin, block.end, static_cast<std::uint32_t>(body_.size())});
    for (Pc pc = block.begin; pc < block.end; ++pc) body_.push_back(pc);
    block_of_.resize(body_.size(), number_[index]);
  }
  blocks_.push_back({0, 0, static_cast<std::uint32_t>(body_.size())});
}

/// Whether lanes also reach `to` from the function that `from` calls.
bool Loop::comes_back(BlockIndex from, BlockIndex to) const {
  return calls(from) && graph_.blocks[from].end == graph_.blocks[to].begin;
}

void Loop::add_edges() {
  for (BlockIndex index = 0; index < graph_.blocks.size(); ++index) {
    if (!has(index)) continue;
    for (const BlockIndex before : graph_.blocks[index].predecessors) {
      if (!has(before)) continue;
      before_.add(number_[before]);
      if (comes_back(before, index)) before_.add(static_cast<Node>(blocks_.size() - 1));
    }
    before_.finish_node();
  }
  for (const BlockIndex block : returns_) before_.add(number_[block]);
  before_.finish_node();
}

std::map<BlockIndex, std::vector<BlockIndex>> latches_by_head(const FlowGraph& graph) {
  std::map<BlockIndex, std::vector<BlockIndex>> latches;
  for (BlockIndex latch = 0; latch < graph.blocks.size(); ++latch) {
    for (const BlockIndex head : graph.blocks[latch].successors) {
      if (head <= latch) latches[head].push_back(latch);
    }
  }
  return latches;
}

}  // namespace heddle::cfg
