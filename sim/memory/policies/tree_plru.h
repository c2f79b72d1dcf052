// Tree pseudo-LRU: the ways of a set are the leaves of a binary tree, and each inner node has a bit that says
// in which half the victim is. A use turns the bits on the way to its line away from it. With a
// number of ways that is no power of two, the left half of a node is the smaller one.
#pragma once

#include <vector>

#include "sim/memory/policies/replacement.h"

namespace heddle::sim {

/// The policy `tree_plru`: the bits of all sets of one cache.
class TreePlru : public Replacement {
 public:
  TreePlru(std::size_t sets, std::uint32_t ways) : ways_(ways), points_right_(sets * ways) {}

  void used(std::size_t set, std::uint32_t way) override {
    Half half{0, ways_};
    while (half.end - half.begin > 1) {
      const bool is_right = way >= half.middle();
      bit(set, half) = !is_right;
      half = half.part(is_right);
    }
  }
  void filled(std::size_t set, std::uint32_t way) override { used(set, way); }
  std::uint32_t victim(std::size_t set) override {
    Half half{0, ways_};
    while (half.end - half.begin > 1) half = half.part(bit(set, half) != 0);
    return half.begin;
  }

 private:
  /// A node of the tree: the ways below it.
  struct Half {
    std::uint32_t begin;
    std::uint32_t end;
    [[nodiscard]] std::uint32_t middle() const { return begin + (end - begin) / 2; }
    [[nodiscard]] Half part(bool is_right) const {
      return is_right ? Half{middle(), end} : Half{begin, middle()};
    }
  };

  /// The bit of the node. It is kept at the node's middle way: no two nodes have the same.
  std::uint8_t& bit(std::size_t set, const Half& half) { return points_right_[set * ways_ + half.middle()]; }

  std::uint32_t ways_;
  std::vector<std::uint8_t> points_right_;  // by set, and the first way of the node's right half
};

}  // namespace heddle::sim
