// The strongly connected components of a graph.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heddle::cfg {

using Node = std::uint32_t;

/// A directed graph, whose nodes get their edges one after the other.
class Edges {
 public:
  [[nodiscard]] std::size_t nodes() const { return ends_.size(); }
  [[nodiscard]] std::span<const Node> of(Node node) const {
    const std::size_t begin = node == 0 ? 0 : ends_[node - 1];
    return std::span(targets_).subspan(begin, ends_[node] - begin);
  }

  /// Of the node that is next.
  void add(Node target) { targets_.push_back(target); }
  void finish_node() { ends_.push_back(targets_.size()); }

 private:
  std::vector<std::size_t> ends_;  // by node: behind its edges
  std::vector<Node> targets_;
};

struct Components {
  std::vector<std::uint32_t> of;  ///< By node.
  std::vector<bool> is_cycle;     ///< By component: from each of its nodes a way leads back to it.
};

/// Takes time in proportion to nodes and edges, and no more stack for deep graphs.
Components components(const Edges& edges);

}  // namespace heddle::cfg
