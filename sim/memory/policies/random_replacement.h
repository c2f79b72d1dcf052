// Random replacement: any line of the set is the victim, with the same chance. Each cache draws from a
// generator of its own that begins with the same number, so that a run can be repeated.
#pragma once

#include "sim/memory/policies/replacement.h"

namespace heddle::sim {

/// The policy `random`.
class RandomReplacement : public Replacement {
 public:
  RandomReplacement(std::size_t, std::uint32_t ways) : ways_(ways) {}

  void used(std::size_t, std::uint32_t) override {}
  void filled(std::size_t, std::uint32_t) override {}
  std::uint32_t victim(std::size_t) override {
    random_ = random_ * 6364136223846793005U + 1442695040888963407U;  // Knuth's MMIX
    return static_cast<std::uint32_t>((random_ >> 32) * ways_ >> 32);
  }

 private:
  std::uint32_t ways_;
  std::uint64_t random_ = 0;
};

}  // namespace heddle::sim
