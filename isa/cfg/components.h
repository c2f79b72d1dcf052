// Strongly connected components of a graph.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heddle::cfg {

using Node = std::uint32_t;

/// The edges of a directed graph. They are added node by node.
class Edges {
 public:
  [[nodiscard]] std::size_t nodes() const { return ends_.size(); }
  [[nodiscard]] std::span<const Node> of(Node node) const {
    const std::size_t begin = node == 0 ? 0 : ends_[node - 1];
    return std::span(targets_).subspan(begin, ends_[node] - begin);
  }

  /// Adds an edge to the node that is not finished yet.
  void add(Node target) { targets_.push_back(target); }
  void finish_node() { ends_.push_back(targets_.size()); }

 private:
  std::vector<std::size_t> ends_;  // by node: index in targets_ behind its last edge
  std::vector<Node> targets_;
};

/// The component of each node.
struct Components {
  std::vector<std::uint32_t> of;  ///< By node.
  std::vector<bool> is_cycle;     ///< By component: its nodes lie on a cycle.
};

/// Takes time proportional to nodes and edges. Deep graphs need no more stack.
Components components(const Edges& edges);

}  // namespace heddle::cfg
