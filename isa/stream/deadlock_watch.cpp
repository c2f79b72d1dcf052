#include "isa/stream/deadlock_watch.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/stream/spin_watchable.h"

namespace heddle::stream {

namespace {

bool is_same(const LiveWarp& a, const LiveWarp& b) { return a.source == b.source && a.slot == b.slot; }

/// A sum that stays as it is while that of all sources does; a source counts as often as it has warps.
std::uint64_t sum_of(const std::vector<LiveWarp>& live, std::uint64_t (SpinWatchable::*count)() const) {
  std::uint64_t sum = 0;
  for (const LiveWarp& warp : live) {
    if (const SpinWatchable* watchable = warp.source->spin_watch()) sum += (watchable->*count)();
  }
  return sum;
}

std::uint64_t arrivals_of(const std::vector<LiveWarp>& live) {
  return sum_of(live, &SpinWatchable::barrier_arrivals);
}

std::uint64_t changes_of(const std::vector<LiveWarp>& live) { return sum_of(live, &SpinWatchable::changes); }

bool seems_to_spin(const LiveWarp& warp) {
  const SpinWatchable* watchable = warp.source->spin_watch();
  return watchable != nullptr && watchable->seems_to_spin(warp.slot);
}

/// SpinWatchable::spins(); a warp that cannot be watched gets on.
std::optional<bool> spins_for_good(const LiveWarp& warp) {
  const SpinWatchable* watchable = warp.source->spin_watch();
  return watchable == nullptr ? false : watchable->spins(warp.slot);
}

/// Whether those that can go on seem to spin.
bool seem_to_spin(const std::vector<LiveWarp>& live) {
  return !live.empty() && std::all_of(live.begin(), live.end(), [](const LiveWarp& warp) {
    return warp.waits || seems_to_spin(warp);
  });
}

}  // namespace

std::vector<LiveWarp> DeadlockWatch::spinning(const std::vector<LiveWarp>& live) {
  if (watched_.empty()) {
    begin(live);
    return {};
  }
  if (!std::equal(live.begin(), live.end(), watched_.begin(), watched_.end(), is_same)) return give_up();
  if (changes_of(live) != changes_) return give_up();
  const bool nobody_came = arrivals_of(live) == arrivals_;
  std::vector<LiveWarp> result;
  bool all_known = true;
  bool all_that_go_known = true;
  for (const LiveWarp& warp : live) {
    if (warp.waits && nobody_came) continue;
    const std::optional<bool> spins = spins_for_good(warp);
    if (spins == false) return give_up();
    if (spins) result.push_back(warp);
    all_known = all_known && spins;
    all_that_go_known = all_that_go_known && (warp.waits || spins);
  }
  if (all_known) return result;
  if (all_that_go_known && ++looks_ > std::max(kFewestLooks, next_pause_)) return give_up();
  return {};
}

void DeadlockWatch::begin(const std::vector<LiveWarp>& live) {
  if (pause_ != 0) --pause_;
  if (pause_ != 0 || !seem_to_spin(live)) return;
  for (const LiveWarp& warp : live) {
    if (SpinWatchable* watchable = warp.source->spin_watch()) watchable->watch_spin(warp.slot);
  }
  watched_ = live;
  looks_ = 0;
  changes_ = changes_of(live);
  arrivals_ = arrivals_of(live);
}

std::vector<LiveWarp> DeadlockWatch::give_up() {
  for (const LiveWarp& warp : watched_) {
    if (SpinWatchable* watchable = warp.source->spin_watch()) watchable->end_watch();
  }
  watched_.clear();
  pause_ = next_pause_;
  next_pause_ *= 2;
  return {};
}

std::string DeadlockWatch::text(std::size_t spinning) {
  return fmt::format("{}; all others that have started have ended or wait at barriers",
                     spinning == 1 ? "one warp spins" : fmt::format("{} warps spin", spinning));
}

}  // namespace heddle::stream
