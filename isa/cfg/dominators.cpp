// Lengauer and Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph", 1979, in its simple form
// with path compression; for post-dominators on the reversed graph. The popular iterative algorithms are
// shorter, but they are quadratic on graphs that a kernel file can contain.
#include "isa/cfg/dominators.h"

#include <algorithm>
#include <utility>

#include "isa/cfg/components.h"

namespace heddle::cfg {

namespace {

/// A block's position in a depth-first walk: along the edges from the beginning of the kernel, or against
/// them from its end. The beginning or the end has 0.
using Order = std::uint32_t;
constexpr Order kUnvisited = ~Order{0};

Components loops_of(const FlowGraph& graph) {
  Edges edges;
  for (const BasicBlock& block : graph.blocks) {
    for (const BlockIndex next : block.successors) edges.add(next);
    edges.finish_node();
  }
  return components(edges);
}

/// By loop, the block that counts as leading to the end if none does: one that a guarded EXIT leaves or, if
/// that stands before a branch, one that comes to it. Where lanes part, they meet before they come there
/// again. kEndOfKernel: there is none.
std::vector<BlockIndex> exits_of(const FlowGraph& graph, const Components& loops) {
  std::vector<BlockIndex> exits(loops.is_cycle.size(), kEndOfKernel);
  const auto choose = [&](const auto& leads_to_end) {
    for (auto block = static_cast<BlockIndex>(graph.blocks.size()); block-- > 0;) {
      BlockIndex& chosen = exits[loops.of[block]];
      const bool goes_on = graph.blocks[block].successors.size() == 1;
      if (chosen == kEndOfKernel && goes_on && leads_to_end(block)) chosen = block;
    }
  };
  choose([&](BlockIndex block) { return graph.blocks[block].may_exit; });
  choose([&](BlockIndex block) {
    const BlockIndex next = graph.blocks[block].successors[0];
    return graph.blocks[next].may_exit && loops.of[next] == loops.of[block];
  });
  return exits;
}

/// The blocks that lead to the end: those without successors, and one of each loop that leads nowhere else:
/// that of exits_of(), or the last one in the text.
std::vector<BlockIndex> last_blocks(const FlowGraph& graph) {
  std::vector<BlockIndex> ends;
  std::vector<bool> reaches_end(graph.blocks.size(), false);
  std::vector<BlockIndex> to_visit;
  const auto add = [&](BlockIndex end) {
    ends.push_back(end);
    to_visit.push_back(end);
    reaches_end[end] = true;
    while (!to_visit.empty()) {
      const BlockIndex block = to_visit.back();
      to_visit.pop_back();
      for (const BlockIndex before : graph.blocks[block].predecessors) {
        if (!reaches_end[before]) to_visit.push_back(before);
        reaches_end[before] = true;
      }
    }
  };
  const auto count = static_cast<BlockIndex>(graph.blocks.size());
  for (BlockIndex block = 0; block < count; ++block) {
    if (graph.blocks[block].successors.empty()) add(block);
  }
  if (std::ranges::find(reaches_end, false) == reaches_end.end()) return ends;
  const Components loops = loops_of(graph);
  const std::vector<BlockIndex> exits = exits_of(graph, loops);
  for (BlockIndex block = count; block-- > 0;) {
    if (reaches_end[block]) continue;
    const BlockIndex exit = exits[loops.of[block]];
    add(exit != kEndOfKernel ? exit : block);
  }
  return ends;
}

enum class Direction : std::uint8_t { Forward, Backward };

class Dominators {
 public:
  /// `roots`: where paths begin, or, backward, end.
  Dominators(const FlowGraph& graph, Direction direction, std::vector<BlockIndex> roots)
      : graph_(graph), direction_(direction), roots_(std::move(roots)) {
    std::sort(roots_.begin(), roots_.end());
    number_blocks();
    link_parent_.assign(block_at_.size(), kUnvisited);
    best_.resize(block_at_.size());
    semi_.resize(block_at_.size());
    for (Order node = 0; node < block_at_.size(); ++node) best_[node] = semi_[node] = node;
    dominator_.assign(block_at_.size(), 0);
  }

  std::vector<BlockIndex> run();

 private:
  [[nodiscard]] const std::vector<BlockIndex>& onward(BlockIndex block) const {
    return direction_ == Direction::Forward ? graph_.blocks[block].successors
                                            : graph_.blocks[block].predecessors;
  }
  [[nodiscard]] const std::vector<BlockIndex>& back(BlockIndex block) const {
    return direction_ == Direction::Forward ? graph_.blocks[block].predecessors
                                            : graph_.blocks[block].successors;
  }
  void number_blocks();
  void push_next(std::vector<std::pair<BlockIndex, Order>>& to_visit, Order node) const;
  void find_semidominator(Order node);
  void settle_bucket(Order parent);
  Order best_above(Order node);
  void compress(Order node);

  const FlowGraph& graph_;
  Direction direction_;
  std::vector<BlockIndex> roots_;
  std::vector<Order> order_of_;       // by block
  std::vector<BlockIndex> block_at_;  // by order, like all that follow
  std::vector<Order> parent_;         // parent in the walk
  std::vector<Order> semi_;
  std::vector<Order> dominator_;
  std::vector<std::vector<Order>> bucket_;
  std::vector<Order> link_parent_;  // forest of the nodes processed so far
  std::vector<Order> best_;         // node with the least semidominator on the compressed path
  std::vector<Order> path_;
};

void Dominators::push_next(std::vector<std::pair<BlockIndex, Order>>& to_visit, Order node) const {
  for (const BlockIndex block : node == 0 ? roots_ : onward(block_at_[node])) {
    if (order_of_[block] == kUnvisited) to_visit.emplace_back(block, node);
  }
}

void Dominators::number_blocks() {
  order_of_.assign(graph_.blocks.size(), kUnvisited);
  block_at_.push_back(kEndOfKernel);
  parent_.push_back(0);
  std::vector<std::pair<BlockIndex, Order>> to_visit;
  push_next(to_visit, 0);
  while (!to_visit.empty()) {
    const auto [block, parent] = to_visit.back();
    to_visit.pop_back();
    if (order_of_[block] != kUnvisited) continue;
    const auto node = static_cast<Order>(block_at_.size());
    order_of_[block] = node;
    block_at_.push_back(block);
    parent_.push_back(parent);
    push_next(to_visit, node);
  }
  bucket_.resize(block_at_.size());
}

/// Compresses the path from a node to the root of its tree in the forest and keeps the best node of the path.
void Dominators::compress(Order node) {
  path_.clear();
  while (link_parent_[link_parent_[node]] != kUnvisited) {
    path_.push_back(node);
    node = link_parent_[node];
  }
  for (auto place = path_.rbegin(); place != path_.rend(); ++place) {
    const Order above = link_parent_[*place];
    if (semi_[best_[above]] < semi_[best_[*place]]) best_[*place] = best_[above];
    link_parent_[*place] = link_parent_[above];
  }
}

Order Dominators::best_above(Order node) {
  if (link_parent_[node] == kUnvisited) return node;
  compress(node);
  return best_[node];
}

void Dominators::find_semidominator(Order node) {
  const BlockIndex block = block_at_[node];
  for (const BlockIndex before : back(block)) {
    if (order_of_[before] == kUnvisited) continue;  // no path leads there
    semi_[node] = std::min(semi_[node], semi_[best_above(order_of_[before])]);
  }
  if (std::binary_search(roots_.begin(), roots_.end(), block)) semi_[node] = 0;
}

void Dominators::settle_bucket(Order parent) {
  for (const Order node : bucket_[parent]) {
    const Order best = best_above(node);
    dominator_[node] = semi_[best] < semi_[node] ? best : parent;
  }
  bucket_[parent].clear();
}

std::vector<BlockIndex> Dominators::run() {
  for (auto node = static_cast<Order>(block_at_.size() - 1); node > 0; --node) {
    find_semidominator(node);
    bucket_[semi_[node]].push_back(node);
    link_parent_[node] = parent_[node];
    settle_bucket(parent_[node]);
  }
  std::vector<BlockIndex> result(graph_.blocks.size(), kEndOfKernel);
  for (Order node = 1; node < block_at_.size(); ++node) {
    if (dominator_[node] != semi_[node]) dominator_[node] = dominator_[dominator_[node]];
    result[block_at_[node]] = block_at_[dominator_[node]];
  }
  return result;
}

}  // namespace

std::vector<BlockIndex> immediate_postdominators(const FlowGraph& graph) {
  return Dominators(graph, Direction::Backward, last_blocks(graph)).run();
}

std::vector<BlockIndex> immediate_dominators(const FlowGraph& graph) {
  return immediate_dominators(graph, {0});
}

std::vector<BlockIndex> immediate_dominators(const FlowGraph& graph, std::vector<BlockIndex> starts) {
  static_assert(kNoDominator == kEndOfKernel, "what lies before the beginning is what lies behind the end");
  return Dominators(graph, Direction::Forward, std::move(starts)).run();
}

}  // namespace heddle::cfg
