#include "isa/cfg/moving_addresses.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace heddle::cfg {

namespace {

/// An address moves if a value that it is computed from depends on its own value of the iteration before. The
/// result is cached by the components that an address is computed from, since most addresses of a loop share
/// them.
class Movement {
 public:
  Movement(const ir::Kernel& kernel, const Loop& loop, const Provenance& provenance)
      : kernel_(kernel),
        loop_(loop),
        edges_(provenance.edges()),
        components_(components(edges_)),
        seen_(edges_.nodes(), 0) {}

  [[nodiscard]] bool moves(std::uint32_t place, const std::vector<Node>& address) {
    std::vector<std::uint32_t> made_of;
    made_of.reserve(address.size());
    for (const Node node : address) made_of.push_back(components_.of[node]);
    std::sort(made_of.begin(), made_of.end());
    made_of.erase(std::unique(made_of.begin(), made_of.end()), made_of.end());
    const auto [known, is_new] = still_.try_emplace(std::move(made_of));
    if (is_new) known->second = find_still(recurrences(address));
    return !known->second[loop_.block_at(place)];
  }

 private:
  /// The instructions on which an address depends and which depend on their own result of the iteration
  /// before.
  [[nodiscard]] std::vector<std::uint32_t> recurrences(std::vector<Node> open) {
    ++walks_;
    std::vector<std::uint32_t> found;
    while (!open.empty()) {
      const Node node = open.back();
      open.pop_back();
      if (std::exchange(seen_[node], walks_) == walks_) continue;
      if (node < loop_.body().size() && components_.is_cycle[components_.of[node]]) found.push_back(node);
      open.insert(open.end(), edges_.of(node).begin(), edges_.of(node).end());
    }
    return found;
  }

  [[nodiscard]] const ir::Guard& guard_of(std::uint32_t place) const {
    return kernel_.instructions[loop_.body()[place]].guard;
  }

  /// By block: whether a path leads round to the block again on which none of these instructions is executed
  /// for certain. An instruction is certain if it has no guard, or if another one of them has the opposite
  /// guard.
  [[nodiscard]] std::vector<bool> find_still(const std::vector<std::uint32_t>& moves) const {
    std::set<std::pair<unsigned, bool>> guards;
    for (const std::uint32_t place : moves)
      guards.insert({guard_of(place).predicate, guard_of(place).negated});
    std::vector<bool> is_moved(loop_.blocks().size(), false);
    for (const std::uint32_t place : moves) {
      const ir::Guard& guard = guard_of(place);
      if (guard.always() || guards.contains({guard.predicate, !guard.negated}))
        is_moved[loop_.block_at(place)] = true;
    }
    return on_cycles_without(is_moved);
  }

  /// The blocks that lie on a cycle without any of these blocks.
  [[nodiscard]] std::vector<bool> on_cycles_without(const std::vector<bool>& left_out) const {
    Edges edges;
    for (Node block = 0; block < left_out.size(); ++block) {
      for (const Node before : loop_.before().of(block)) {
        if (!left_out[block] && !left_out[before]) edges.add(before);
      }
      edges.finish_node();
    }
    const Components parts = components(edges);
    std::vector<bool> on_cycle(left_out.size());
    for (Node block = 0; block < left_out.size(); ++block) on_cycle[block] = parts.is_cycle[parts.of[block]];
    return on_cycle;
  }

  const ir::Kernel& kernel_;
  const Loop& loop_;
  const Edges& edges_;
  Components components_;
  std::vector<std::uint32_t> seen_;  // by node: number of the last walk that visited it
  std::uint32_t walks_ = 0;
  std::map<std::vector<std::uint32_t>, std::vector<bool>> still_;  // by the components of an address
};

}  // namespace

std::vector<bool> moving_addresses(const ir::Kernel& kernel, const Loop& loop, Provenance& provenance,
                                   const std::vector<std::uint32_t>& places) {
  std::vector<std::vector<Node>> addresses;
  addresses.reserve(places.size());
  for (const std::uint32_t place : places) addresses.push_back(provenance.address_of(place));
  Movement movement(kernel, loop, provenance);
  std::vector<bool> moving(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) moving[i] = movement.moves(places[i], addresses[i]);
  return moving;
}

}  // namespace heddle::cfg
