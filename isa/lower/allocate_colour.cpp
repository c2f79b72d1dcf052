#include "isa/lower/allocate_colour.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace heddle::lower {

namespace {

using Node = std::uint32_t;
using Order = std::vector<Node>;

/// How a place is chosen among those that are free.
enum class Choice : std::uint8_t {
  Lowest,
  Tightest,  ///< First where a neighbour in the pair or quad is taken, so that pairs and quads stay whole.
};

class Painter {
 public:
  explicit Painter(const ColouringProblem& problem)
      : problem_(problem), first_(problem.nodes().size(), Colouring::kNowhere) {}

  Colouring paint(const Order& order, unsigned most, Choice choice) {
    std::fill(first_.begin(), first_.end(), Colouring::kNowhere);
    Colouring result;
    result.registers = problem_.physical();
    for (const Node node : order) {
      const int first = place(node, most, choice);
      first_[node] = first;
      if (first == Colouring::kNowhere) {
        result.failing.push_back(node);
      } else {
        result.registers =
            std::max(result.registers, static_cast<unsigned>(first) + problem_.nodes()[node].extent);
      }
    }
    result.first = first_;
    return result;
  }

 private:
  /// From which registers on the node cannot lie.
  void find_taken(const ColouringProblem::Node& node) {
    taken_.clear();
    for (std::uint32_t i = 0; i < node.members; ++i) {
      const ColouringProblem::Member& member = problem_.members()[node.first_member + i];
      RegisterSet registers = member.taken;
      for (const std::uint32_t other : member.neighbours) {
        const ColouringProblem::Member& neighbour = problem_.members()[other];
        const int first = first_[neighbour.node];
        if (first != Colouring::kNowhere) registers.add(static_cast<unsigned>(first) + neighbour.offset);
      }
      taken_.add_before(registers, member.offset);
    }
  }

  [[nodiscard]] bool is_free(const ColouringProblem::Node& node, int first, unsigned most) const {
    if (first < 0 || static_cast<unsigned>(first) + node.extent > most) return false;
    const auto at = static_cast<unsigned>(first);
    return (at & (node.alignment - 1)) == node.residue && !taken_.has(at);
  }

  int place(Node index, unsigned most, Choice choice) {
    const ColouringProblem::Node& node = problem_.nodes()[index];
    find_taken(node);
    for (const ColouringProblem::Wish& wish : node.wishes) {
      const bool is_known =
          wish.node == ColouringProblem::kPhysical || first_[wish.node] != Colouring::kNowhere;
      const int base = wish.node == ColouringProblem::kPhysical ? 0 : first_[wish.node];
      if (is_known && is_free(node, base + wish.distance, most)) return base + wish.distance;
    }
    const bool is_single = node.extent == 1 && node.alignment == 1;
    if (choice == Choice::Tightest && is_single) {
      if (const int tight = tightest(node, most); tight != Colouring::kNowhere) return tight;
    }
    for (unsigned first = node.residue; first + node.extent <= most; first += node.alignment) {
      if (!taken_.has(first)) return static_cast<int>(first);
    }
    return Colouring::kNowhere;
  }

  /// In a pair of which the other half is taken; else in a quad of which a part is.
  [[nodiscard]] int tightest(const ColouringProblem::Node& node, unsigned most) const {
    int in_quad = Colouring::kNowhere;
    for (unsigned at = 0; at < most; ++at) {
      if (!is_free(node, static_cast<int>(at), most)) continue;
      if (taken_.has(at ^ 1)) return static_cast<int>(at);
      const bool is_partly_taken = taken_.has(at ^ 2) || taken_.has(at ^ 3);
      if (in_quad == Colouring::kNowhere && is_partly_taken) in_quad = static_cast<int>(at);
    }
    return in_quad;
  }

  const ColouringProblem& problem_;
  std::vector<int> first_;  // by node
  RegisterSet taken_;
};

/// Who has the fewest neighbours, compared with the places that it can have, is taken away, again and again;
/// who was taken away last comes first.
class SmallestLast {
 public:
  SmallestLast(const ColouringProblem& problem, unsigned most) : problem_(problem) {
    const std::size_t count = problem.nodes().size();
    for (Node node = 0; node < count; ++node) find_neighbours(node);
    for (Node node = 0; node < count; ++node) {
      const ColouringProblem::Node& row = problem.nodes()[node];
      const unsigned places = most < row.extent ? 0 : (most - row.extent) / row.alignment + 1;
      pressure_.push_back(kMiddle - static_cast<int>(places));
      for (const Neighbour& each : neighbours_[node]) pressure_[node] += static_cast<int>(each.blocked);
    }
  }

  Order run() {
    std::vector<std::vector<Node>> buckets;
    const auto add = [&](Node node) {
      const auto bucket = static_cast<std::size_t>(pressure_[node]);
      if (buckets.size() <= bucket) buckets.resize(bucket + 1);
      buckets[bucket].push_back(node);
      return bucket;
    };
    for (Node node = 0; node < pressure_.size(); ++node) add(node);
    std::vector<bool> is_gone(pressure_.size(), false);
    Order order;
    for (std::size_t bucket = 0; bucket < buckets.size();) {
      if (buckets[bucket].empty()) {
        ++bucket;
        continue;
      }
      const Node node = buckets[bucket].back();
      buckets[bucket].pop_back();
      if (is_gone[node] || static_cast<std::size_t>(pressure_[node]) != bucket) continue;
      is_gone[node] = true;
      order.push_back(node);
      for (const Neighbour& each : neighbours_[node]) {
        if (is_gone[each.node]) continue;
        pressure_[each.node] -= static_cast<int>(each.blocks);
        bucket = std::min(bucket, add(each.node));
      }
    }
    std::reverse(order.begin(), order.end());
    return order;
  }

 private:
  static constexpr int kMiddle = 256;  // so that nothing is below zero
  struct Neighbour {
    Node node = 0;
    unsigned blocked = 0;  ///< How many places of this node it takes at most,
    unsigned blocks = 0;   ///< and this one of its.
  };

  // A node and a distance in one number, whose order is that of nodes and then of distances.
  static constexpr unsigned kDistanceBits = 16;
  static constexpr std::uint64_t kZeroDistance = std::uint64_t{1} << (kDistanceBits - 1);
  static std::uint64_t key_of(Node node, unsigned to, unsigned from) {
    return (std::uint64_t{node} << kDistanceBits) + kZeroDistance + to - from;
  }
  static Node node_of(std::uint64_t key) { return static_cast<Node>(key >> kDistanceBits); }

  /// At how many distances between the first registers the two would be in each other's way.
  void find_neighbours(Node node) {
    std::vector<std::uint64_t>& distances = distances_;
    distances.clear();
    const ColouringProblem::Node& row = problem_.nodes()[node];
    for (std::uint32_t i = 0; i < row.members; ++i) {
      const ColouringProblem::Member& member = problem_.members()[row.first_member + i];
      for (const std::uint32_t index : member.neighbours) {
        const ColouringProblem::Member& other = problem_.members()[index];
        if (other.node != node) distances.push_back(key_of(other.node, other.offset, member.offset));
      }
    }
    // Members of one node follow one another, and so do those that interfere with one member.
    if (row.members != 1) std::sort(distances.begin(), distances.end());
    distances.erase(std::unique(distances.begin(), distances.end()), distances.end());
    std::vector<Neighbour>& list = neighbours_.emplace_back();
    for (std::size_t i = 0; i < distances.size();) {
      const Node other = node_of(distances[i]);
      std::size_t end = i;
      while (end < distances.size() && node_of(distances[end]) == other) ++end;
      const auto count = static_cast<unsigned>(end - i);
      const unsigned alignment = problem_.nodes()[other].alignment;
      list.push_back(
          {other, (count + row.alignment - 1) / row.alignment, (count + alignment - 1) / alignment});
      i = end;
    }
  }

  const ColouringProblem& problem_;
  std::vector<std::vector<Neighbour>> neighbours_;  // by node
  std::vector<std::uint64_t> distances_;            // of find_neighbours
  std::vector<int> pressure_;  // by node: places that neighbours can take, less those there are
};

/// Tries orders until none is better, or it has taken too long.
class Search {
 public:
  Search(const ColouringProblem& problem, unsigned least, unsigned most)
      : problem_(problem), painter_(problem), least_(std::max(least, problem.physical())), most_(most) {}

  Colouring run() {
    const Order smallest_last = SmallestLast(problem_, std::min(most_, least_ + 1)).run();
    for (const Order& order : {smallest_last, widest_first(smallest_last), in_program_order()}) {
      for (const Choice choice : {Choice::Lowest, Choice::Tightest}) {
        consider(order, choice, painter_.paint(order, most_, choice));
        if (is_done()) return *best_;
      }
    }
    while (!is_done() && best_->failing.size() <= kFewFailing && squeeze()) {
    }
    return *best_;
  }

 private:
  // Steps along edges that a search may take: some for any problem, and then as many as there are edges, so
  // often.
  static constexpr std::size_t kSteps = 400'000;
  static constexpr std::size_t kTimes = 3;
  static constexpr unsigned kTries = 200;
  static constexpr std::size_t kFewFailing = 8;  // where more fail, other orders do not help

  [[nodiscard]] bool is_done() const { return best_->failing.empty() && best_->registers <= least_; }

  bool is_better(const Colouring& one) const {
    if (!best_ || one.failing.size() != best_->failing.size())
      return !best_ || one.failing.size() < best_->failing.size();
    return one.registers < best_->registers;
  }

  void consider(const Order& order, Choice choice, Colouring colouring) {
    steps_ += problem_.edges() + problem_.nodes().size();
    if (!is_better(colouring)) return;
    best_ = std::move(colouring);
    best_order_ = order;
    best_choice_ = choice;
  }

  [[nodiscard]] Order in_program_order() const {
    Order order(problem_.nodes().size());
    std::iota(order.begin(), order.end(), 0U);
    return order;
  }

  [[nodiscard]] Order widest_first(Order order) const {
    std::stable_sort(order.begin(), order.end(), [this](Node one, Node other) {
      const auto width = [this](Node node) {
        return std::max(problem_.nodes()[node].alignment, problem_.nodes()[node].extent);
      };
      return width(one) > width(other);
    });
    return order;
  }

  /// One register less than the best so far; where it has failed, as many as there may be. False if that has
  /// not been found.
  bool squeeze() {
    const bool had_failed = !best_->failing.empty();
    const unsigned most = had_failed ? most_ : std::min(most_, best_->registers - 1);
    Order order = best_order_;
    std::vector<Node> failing = best_->failing;
    const std::size_t budget = kSteps + kTimes * problem_.edges();
    for (unsigned i = 0; i < kTries && steps_ < budget; ++i) {
      move_to_front(order, failing);
      Colouring found = painter_.paint(order, most, i % 2 == 0 ? best_choice_ : Choice::Tightest);
      failing = found.failing;
      const bool is_good = failing.empty();
      consider(order, best_choice_, std::move(found));
      if (is_good) return true;
    }
    return false;
  }

  void move_to_front(Order& order, const std::vector<Node>& nodes) {
    std::vector<bool> is_first(problem_.nodes().size(), false);
    for (const Node node : nodes) is_first[node] = true;
    std::stable_partition(order.begin(), order.end(), [&](Node node) { return is_first[node]; });
  }

  const ColouringProblem& problem_;
  Painter painter_;
  unsigned least_;
  unsigned most_;
  std::size_t steps_ = 0;
  std::optional<Colouring> best_;
  Order best_order_;
  Choice best_choice_ = Choice::Lowest;
};

}  // namespace

Colouring find_colouring(const ColouringProblem& problem, unsigned least, unsigned most) {
  return Search(problem, least, most).run();
}

}  // namespace heddle::lower
