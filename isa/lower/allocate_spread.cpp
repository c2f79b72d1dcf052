#include "isa/lower/allocate_spread.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "isa/lower/allocate_budget.h"

namespace heddle::lower {

namespace {

using Node = std::uint32_t;

class Spreader {
 public:
  Spreader(const ColouringProblem& problem, unsigned most)
      : problem_(problem), most_(most), first_(problem.nodes().size(), Colouring::kNowhere) {}

  Colouring run(const std::vector<Node>& order) {
    Colouring result;
    result.registers = problem_.physical();
    for (const Node index : order) {
      const ColouringProblem::Node& node = problem_.nodes()[index];
      const int first = place(index, node);
      first_[index] = first;
      if (first == Colouring::kNowhere) {
        result.failing.push_back(index);
      } else {
        result.registers = std::max(result.registers, static_cast<unsigned>(first) + node.extent);
      }
    }
    result.first = first_;
    return result;
  }

 private:
  // In waits of a warp. A copy is an instruction, and often two.
  static constexpr int kCopyCost = 2;

  /// The lowest of those that cost the least.
  int place(Node index, const ColouringProblem::Node& node) {
    look_around(index, node);
    int best = Colouring::kNowhere;
    int least_cost = std::numeric_limits<int>::max();
    for (unsigned first = node.residue; first + node.extent <= most_; first += node.alignment) {
      const bool has_stack_pointer = first <= kStackPointer && kStackPointer < first + node.extent;
      if (has_stack_pointer || taken_.has(first)) continue;
      const int cost =
          same_bank_[first % 2] + (resting_.has(first) ? 1 : 0) - kCopyCost * copies_saved(node, first);
      if (cost >= least_cost) continue;
      best = static_cast<int>(first);
      least_cost = cost;
    }
    return best;
  }

  [[nodiscard]] int copies_saved(const ColouringProblem::Node& node, unsigned first) const {
    return static_cast<int>(
        std::count_if(node.wishes.begin(), node.wishes.end(), [&](const ColouringProblem::Wish& wish) {
          if (wish.node == ColouringProblem::kPhysical) return wish.distance == static_cast<int>(first);
          return first_[wish.node] != Colouring::kNowhere &&
                 first_[wish.node] + wish.distance == static_cast<int>(first);
        }));
  }

  /// From which registers on the node cannot lie, had better not lie, and where it would share banks.
  void look_around(Node index, const ColouringProblem::Node& node) {
    taken_.clear();
    resting_.clear();
    same_bank_ = {};
    for (std::uint32_t i = 0; i < node.members; ++i) {
      const ColouringProblem::Member& member = problem_.members()[node.first_member + i];
      RegisterSet taken = member.taken;
      add_registers(taken, member.neighbours, index);
      taken_.add_before(taken, member.offset);
      RegisterSet resting;
      add_registers(resting, member.resting, index);
      resting_.add_before(resting, member.offset);
      count_banks(member, index);
    }
  }

  void add_registers(RegisterSet& set, const std::vector<std::uint32_t>& members, Node own) const {
    for (const std::uint32_t each : members) {
      const ColouringProblem::Member& member = problem_.members()[each];
      const int first = first_[member.node];
      if (member.node != own && first != Colouring::kNowhere)
        set.add(static_cast<unsigned>(first) + member.offset);
    }
  }

  /// The bank of an aligned pair is known before it has a place.
  void count_banks(const ColouringProblem::Member& member, Node own) {
    for (const std::uint32_t each : member.other_bank) {
      const ColouringProblem::Member& other = problem_.members()[each];
      if (other.node == own) continue;
      const ColouringProblem::Node& node = problem_.nodes()[other.node];
      const int first = first_[other.node];
      if (first == Colouring::kNowhere && node.alignment == 1) continue;
      const unsigned begin = first == Colouring::kNowhere ? node.residue : static_cast<unsigned>(first);
      ++same_bank_[(begin + other.offset + member.offset) % 2];
    }
  }

  const ColouringProblem& problem_;
  unsigned most_;
  std::vector<int> first_;  // by node
  RegisterSet taken_;
  RegisterSet resting_;
  std::array<int, 2> same_bank_{};  // by where the node begins, even or odd: how often
};

}  // namespace

Colouring spread_colouring(const ColouringProblem& problem, unsigned most) {
  std::vector<Node> order(problem.nodes().size());
  std::iota(order.begin(), order.end(), 0U);
  Colouring in_program_order = Spreader(problem, most).run(order);
  if (in_program_order.failing.empty()) return in_program_order;
  std::stable_sort(order.begin(), order.end(), [&](Node one, Node other) {
    const ColouringProblem::Node& a = problem.nodes()[one];
    const ColouringProblem::Node& b = problem.nodes()[other];
    return std::max(a.alignment, a.extent) > std::max(b.alignment, b.extent);
  });
  return Spreader(problem, most).run(order);
}

}  // namespace heddle::lower
