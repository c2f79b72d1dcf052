// First in, first out: the line that came first is the victim, however often it was used.
#pragma once

#include <algorithm>
#include <vector>

#include "sim/memory/policies/replacement.h"

namespace heddle::sim {

/// The policy `fifo`.
class Fifo : public Replacement {
 public:
  Fifo(std::size_t sets, std::uint32_t ways) : ways_(ways), filled_at_(sets * ways) {}

  void used(std::size_t, std::uint32_t) override {}
  void filled(std::size_t set, std::uint32_t way) override { filled_at_[set * ways_ + way] = ++fills_; }
  std::uint32_t victim(std::size_t set) override {
    const auto first = filled_at_.begin() + static_cast<std::ptrdiff_t>(set * ways_);
    return static_cast<std::uint32_t>(std::min_element(first, first + ways_) - first);
  }

 private:
  std::uint32_t ways_;
  std::uint64_t fills_ = 0;
  std::vector<std::uint64_t> filled_at_;  // by way: how many lines had come when its line did
};

}  // namespace heddle::sim
