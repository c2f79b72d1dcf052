// Static re-reference interval prediction (Jaleel, Theobald, Steely, Emer: "High Performance Cache
// Replacement Using Re-Reference Interval Prediction (RRIP)", ISCA 2010), with two bits a line and hit
// priority.
//
// A new line is expected to be used again in a long time; one that was used again is expected soon. The
// victim is the first line of the set that is expected only in the distant future; if there is none, all
// lines age until there is one. So a scan of lines that are used once does not evict those that are used
// again and again.
#pragma once

#include <algorithm>
#include <vector>

#include "sim/memory/policies/replacement.h"

namespace heddle::sim {

/// The policy `srrip`.
class Srrip : public Replacement {
 public:
  Srrip(std::size_t sets, std::uint32_t ways) : ways_(ways), expected_in_(sets * ways, kDistant) {}

  void used(std::size_t set, std::uint32_t way) override { expected_in_[set * ways_ + way] = kSoon; }
  void filled(std::size_t set, std::uint32_t way) override { expected_in_[set * ways_ + way] = kLong; }
  std::uint32_t victim(std::size_t set) override {
    const auto first = expected_in_.begin() + static_cast<std::ptrdiff_t>(set * ways_);
    const auto last = first + ways_;
    const auto farthest = std::max_element(first, last);  // the first of them
    const auto put_off = static_cast<std::uint8_t>(kDistant - *farthest);
    std::for_each(first, last,
                  [put_off](std::uint8_t& each) { each = static_cast<std::uint8_t>(each + put_off); });
    return static_cast<std::uint32_t>(farthest - first);
  }

 private:
  static constexpr std::uint8_t kSoon = 0;
  static constexpr std::uint8_t kLong = 2;
  static constexpr std::uint8_t kDistant = 3;

  std::uint32_t ways_;
  std::vector<std::uint8_t> expected_in_;  // by way: the paper's re-reference prediction value
};

}  // namespace heddle::sim
