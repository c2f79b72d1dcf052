#include "isa/cfg/components.h"

#include <algorithm>

namespace heddle::cfg {

namespace {

/// Tarjan's algorithm with an explicit stack.
class Search {
 public:
  explicit Search(const Edges& edges) : edges_(edges), order_(edges.nodes(), 0), least_(edges.nodes(), 0) {
    found_.of.assign(edges.nodes(), kOpen);
  }

  Components run() {
    for (Node node = 0; node < edges_.nodes(); ++node) {
      if (order_[node] == 0) visit(node);
    }
    return std::move(found_);
  }

 private:
  static constexpr std::uint32_t kOpen = ~std::uint32_t{0};

  struct Step {
    Node node;
    std::size_t edge;
  };

  void visit(Node root) {
    enter(root);
    while (!steps_.empty()) {
      Step& step = steps_.back();
      const std::span<const Node> targets = edges_.of(step.node);
      if (step.edge == targets.size()) {
        leave();
      } else if (const Node target = targets[step.edge++]; order_[target] == 0) {
        enter(target);
      } else if (found_.of[target] == kOpen) {
        least_[step.node] = std::min(least_[step.node], order_[target]);
      }
    }
  }

  void enter(Node node) {
    order_[node] = least_[node] = ++entered_;
    open_.push_back(node);
    steps_.push_back({node, 0});
  }

  void leave() {
    const Node node = steps_.back().node;
    steps_.pop_back();
    if (!steps_.empty()) {
      std::uint32_t& least = least_[steps_.back().node];
      least = std::min(least, least_[node]);
    }
    if (least_[node] == order_[node]) close(node);
  }

  void close(Node first) {
    const auto component = static_cast<std::uint32_t>(found_.is_cycle.size());
    const std::span<const Node> targets = edges_.of(first);
    found_.is_cycle.push_back(open_.back() != first ||
                              std::find(targets.begin(), targets.end(), first) != targets.end());
    while (found_.of[first] == kOpen) {
      found_.of[open_.back()] = component;
      open_.pop_back();
    }
  }

  const Edges& edges_;
  std::vector<std::uint32_t> order_;  // by node: the order in which it was entered, from 1
  std::vector<std::uint32_t> least_;  // by node: the order of the earliest known node in its component
  std::uint32_t entered_ = 0;
  std::vector<Node> open_;
  std::vector<Step> steps_;
  Components found_;
};

}  // namespace

Components components(const Edges& edges) { return Search(edges).run(); }

}  // namespace heddle::cfg
