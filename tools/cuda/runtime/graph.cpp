#include "tools/cuda/runtime/graph.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "tools/cuda/runtime/failure.h"

cudaGraphNode_t CUgraph_st::add(heddle::cudart::Operation operation, const cudaGraphNode_t* after,
                                std::size_t count) {
  auto node = std::make_unique<CUgraphNode_st>();
  node->operation = std::move(operation);
  node->after.assign(after, after + count);
  nodes.push_back(std::move(node));
  return nodes.back().get();
}

std::vector<const CUgraphNode_st*> CUgraph_st::in_order() const {
  std::vector<const CUgraphNode_st*> order;
  std::set<const CUgraphNode_st*> placed;
  while (order.size() < nodes.size()) {
    const std::size_t before = order.size();
    for (const auto& node : nodes) {
      const auto is_placed = [&](const CUgraphNode_st* each) { return placed.contains(each); };
      if (is_placed(node.get()) || !std::ranges::all_of(node->after, is_placed)) continue;
      order.push_back(node.get());
      placed.insert(node.get());
    }
    heddle::cudart::require(order.size() > before,
                            "nodes of the graph wait for each other, or for those of another one");
  }
  return order;
}

namespace heddle::cudart {

void order_nodes(const cudaGraphNode_t* from, const cudaGraphNode_t* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i]->after.push_back(from[i]);
}

std::unique_ptr<CUgraph_st> copy_of(const CUgraph_st& graph) {
  auto copy = std::make_unique<CUgraph_st>();
  std::map<const CUgraphNode_st*, cudaGraphNode_t> copies;
  for (const auto& node : graph.nodes) copies[node.get()] = copy->add(node->operation);
  for (const auto& node : graph.nodes) {
    for (const cudaGraphNode_t each : node->after) copies.at(node.get())->after.push_back(copies.at(each));
  }
  return copy;
}

}  // namespace heddle::cudart
