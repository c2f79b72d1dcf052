#include "isa/cfg/components.h"

#include "tests/support/catch.h"

namespace heddle::cfg {
namespace {

Components components_of(const std::vector<std::vector<Node>>& graph) {
  Edges edges;
  for (const std::vector<Node>& targets : graph) {
    for (const Node target : targets) edges.add(target);
    edges.finish_node();
  }
  return components(edges);
}

TEST_CASE("nodes that lead to each other are one component") {
  const Components found = components_of({{1}, {2, 3}, {0}, {4}, {3}, {1}});
  CHECK(found.of[0] == found.of[1]);
  CHECK(found.of[1] == found.of[2]);
  CHECK(found.of[3] == found.of[4]);
  CHECK(found.of[0] != found.of[3]);
  CHECK(found.is_cycle.size() == 3);
  CHECK_FALSE(found.is_cycle[found.of[5]]);
  CHECK(found.is_cycle[found.of[3]]);
}

TEST_CASE("a node alone is a cycle if it leads to itself") {
  const Components found = components_of({{0}, {0}});
  CHECK(found.is_cycle[found.of[0]]);
  CHECK_FALSE(found.is_cycle[found.of[1]]);
}

TEST_CASE("a long chain takes no more stack than a short one") {
  std::vector<std::vector<Node>> chain(1'000'000);
  for (Node node = 0; node + 1 < chain.size(); ++node) chain[node] = {node + 1};
  CHECK(components_of(chain).is_cycle.size() == chain.size());
}

}  // namespace
}  // namespace heddle::cfg
