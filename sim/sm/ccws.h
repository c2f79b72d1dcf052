// Cache-conscious wavefront scheduling (Rogers, O'Connor, Aamodt: "Cache-Conscious Wavefront Scheduling", MICRO
// 2012): greedy, then oldest, but of warps that take lines of L1 from one another only as many may load as
// keep theirs.
//
// Each warp has a few victim tags: lines that L1 has evicted and that the warp had brought in. A load that misses
// L1 and finds its line there has lost locality that the warp would have had with L1 to itself, and raises its
// warp's score; each cycle lowers it again by one, down to a base. Warps stand in the order of their scores, of
// equals the older ones first, and those whose scores together are above what all warps have at their base may
// not load until scores have gone down. The first may always.
//
// As in the paper, a lost line sets the score to K x cutoff x lost lines / issued instructions. Each
// sub-partition counts and throttles its own warps, where the paper has one scheduler for the core.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <vector>

#include "sim/sm/warp_scheduler.h"

namespace heddle::sim {

/// The policy `ccws`, one object for each sub-partition.
template <typename Set>
class CacheConscious final : public WarpScheduler<Set> {
 public:
  static constexpr bool kWatchesL1 = true;

  unsigned pick(const Candidates<Set>& candidates) override {
    ++issued_;
    if (!last_ || !contains(candidates.eligible, *last_)) last_ = candidates.oldest(candidates.eligible);
    return *last_;
  }

  void started(unsigned warp, Set older) override {
    resident_ |= only<Set>(warp);
    older_[warp] = older;
    warps_[warp] = {};
  }

  void retired(unsigned warp) override {
    if (last_ == warp) last_.reset();
    resident_ &= ~only<Set>(warp);
    for (Set& older : older_) older &= ~only<Set>(warp);
  }

  void loaded(const LoadSeen& load) override {
    if (load.missing == 0) return;
    std::deque<std::uint64_t>& tags = warps_[load.warp].lost;
    const auto found = std::find(tags.begin(), tags.end(), load.line);
    if (found == tags.end()) return;
    tags.erase(found);
    ++lost_;
    // Less than the base is none: the warp has not lost more than others do.
    warps_[load.warp].score = kBase + excess_of_loss();
    warps_[load.warp].since = load.now;
  }

  void lost(unsigned warp, std::uint64_t line) override {
    if (!contains(resident_, warp)) return;
    std::deque<std::uint64_t>& tags = warps_[warp].lost;
    tags.push_back(line);
    if (tags.size() > kTags) tags.pop_front();
  }

  Set vetoed(Cycle now) override {
    std::vector<unsigned>& order = order_;
    order.clear();
    std::uint64_t sum = 0;
    for_each_warp(resident_, [&](unsigned warp) {
      order.push_back(warp);
      sum += score(warp, now);
    });
    const std::uint64_t cutoff = order.size() * kBase;
    if (sum <= cutoff) return 0;
    std::sort(order.begin(), order.end(), [&](unsigned a, unsigned b) {
      const std::uint64_t of_a = score(a, now);
      const std::uint64_t of_b = score(b, now);
      return of_a != of_b ? of_a > of_b : contains(older_[b], a);
    });
    Set vetoed = 0;
    sum = score(order.front(), now);
    for (std::size_t i = 1; i < order.size(); ++i) {
      sum += score(order[i], now);
      if (sum > cutoff) vetoed |= only<Set>(order[i]);
    }
    return vetoed;
  }

 private:
  // As in the paper.
  static constexpr std::uint64_t kBase = 100;    // score of a warp that has lost nothing
  static constexpr std::uint64_t kThrottle = 8;  // how much a lost line counts
  static constexpr std::size_t kTags = 16;       // victim tags of a warp

  /// What is known of one warp: its lost-locality score, and its victim tags.
  struct Warp {
    std::uint64_t score = kBase;  // at `since`
    Cycle since = 0;
    std::deque<std::uint64_t> lost;  // line numbers, the latest last
  };

  [[nodiscard]] std::uint64_t score(unsigned warp, Cycle now) const {
    const Warp& state = warps_[warp];
    const Cycle passed = now - std::min(now, state.since);
    return std::max(kBase, state.score - std::min(state.score, passed));
  }

  /// By how much the score of a warp that has lost a line is above the base.
  [[nodiscard]] std::uint64_t excess_of_loss() const {
    const std::uint64_t cutoff = warp_count(resident_) * kBase;
    const std::uint64_t score = kThrottle * cutoff * lost_ / std::max<std::uint64_t>(issued_, 1);
    return score - std::min(score, kBase);
  }

  std::optional<unsigned> last_;  // the warp picked last, while it lives
  Set resident_ = 0;
  std::array<Set, kSetSize<Set>> older_{};  // by warp: the resident ones that started before it
  std::array<Warp, kSetSize<Set>> warps_;
  std::vector<unsigned> order_;  // warps in the order of their scores
  std::uint64_t issued_ = 0;     // instructions,
  std::uint64_t lost_ = 0;       // and lines whose loss a warp has felt
};

}  // namespace heddle::sim
