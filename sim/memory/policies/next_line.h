// Next-line prefetching: a load of sectors of a line asks for the same sectors of the lines that follow it.
#pragma once

#include "sim/memory/policies/prefetcher.h"

namespace heddle::sim {

/// The prefetcher `next_line`.
class NextLine final : public Prefetcher {
 public:
  explicit NextLine(const PrefetcherShape& shape) : degree_(shape.degree) {}

  void access(const CacheAccess& access, std::vector<PrefetchedLine>& wanted) override {
    for (unsigned i = 1; i <= degree_; ++i) wanted.push_back({access.line + i, access.sectors});
  }

 private:
  unsigned degree_;
};

}  // namespace heddle::sim
