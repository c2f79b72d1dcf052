// The vector instruction sets that isa/exec is compiled for, one at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "hwy/highway.h"

namespace heddle::test {

/// Lane execution uses this one target while the object lives.
class OnlyTarget {
 public:
  explicit OnlyTarget(std::int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
  ~OnlyTarget() {
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
  OnlyTarget(const OnlyTarget&) = delete;
  OnlyTarget& operator=(const OnlyTarget&) = delete;
};

inline std::vector<std::int64_t> compiled_targets() {
  std::vector<std::int64_t> targets;
  const std::int64_t all = hwy::SupportedTargets() & HWY_TARGETS;
  for (std::int64_t rest = all; rest != 0; rest &= rest - 1) targets.push_back(rest & -rest);
  return targets;
}

}  // namespace heddle::test
