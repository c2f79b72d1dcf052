// Sets of numbers without common members, which only ever grow together.
#pragma once

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace heddle::lower {

/// A union-find structure.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count = 0) : parents_(count) {
    std::iota(parents_.begin(), parents_.end(), 0U);
  }

  std::uint32_t add() {
    parents_.push_back(static_cast<std::uint32_t>(parents_.size()));
    return parents_.back();
  }
  [[nodiscard]] std::size_t size() const { return parents_.size(); }

  /// The member that stands for the set.
  std::uint32_t find(std::uint32_t member) {
    while (parents_[member] != member) member = parents_[member] = parents_[parents_[member]];
    return member;
  }
  /// Unites two sets. The member that stands for the set of `one` stands for both then.
  void unite(std::uint32_t one, std::uint32_t other) { parents_[find(other)] = find(one); }

 private:
  std::vector<std::uint32_t> parents_;
};

}  // namespace heddle::lower
