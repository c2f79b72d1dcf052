// Which launches of a list are timed for all of them, and what follows from their cycles.
//
// The first launch of each group is timed, and stands for itself: it is often the only one that finds nothing
// in L2. Of the others some are drawn, one from each of as many equal parts of the group. Groups that
// scatter, and are large, get more in the next rounds (Neyman's allocation), until the interval of the total
// is narrow.
#pragma once

#include <cstddef>
#include <map>
#include <random>
#include <span>
#include <vector>

#include "isa/base/types.h"
#include "tools/sample/estimate.h"
#include "tools/sample/launch_groups.h"

namespace heddle::sample {

/// A launch that was timed.
struct LaunchTiming {
  std::size_t group = 0;
  bool is_first = false;  ///< The first of its group in the list.
  Cycle cycles = 0;
};

/// How far the total of a list may be off, in cycles to both sides.
struct ListUncertainty {
  double sampling = 0;  ///< From launches of a group that differ: half of the interval of estimate_total().
  /// From what a launch would have found in L2: how much the total would differ if all launches took as long
  /// as those that were timed without the one before them.
  double l2 = 0;

  [[nodiscard]] double sum() const { return sampling + l2; }
};

/// `members`: how many launches each group has. `warm_ups`: launches that were timed only for what they leave
/// in L2.
ListUncertainty uncertainty_of(std::span<const std::uint64_t> members, std::span<const LaunchTiming> timed,
                               std::span<const LaunchTiming> warm_ups);

/// The plan for one list. The same list gives the same plan.
class LaunchSample {
 public:
  explicit LaunchSample(std::span<const LaunchTraits> launches);

  /// The launches to time next, in the order of the list. Empty if no more are needed.
  std::vector<std::size_t> next_round();
  /// A launch of the last round took so long.
  void add(std::size_t launch, Cycle cycles) { cycles_[launch] = cycles; }

  [[nodiscard]] const std::vector<LaunchGroup>& groups() const { return groups_; }
  [[nodiscard]] std::size_t group_of(std::size_t launch) const { return group_of_[launch]; }
  [[nodiscard]] bool is_first(std::size_t launch) const { return first_of_[group_of_[launch]] == launch; }
  /// For each timed launch the launches that it stands for, itself among them, in the order of the list.
  [[nodiscard]] std::map<std::size_t, std::vector<std::size_t>> stand_ins() const;

 private:
  [[nodiscard]] LaunchGroup without_first(std::size_t group) const;
  [[nodiscard]] std::vector<Stratum> strata() const;
  [[nodiscard]] std::vector<std::size_t> wanted() const;
  void draw(std::size_t group, std::size_t count, std::vector<std::size_t>& round);

  std::vector<LaunchGroup> groups_;
  std::vector<std::size_t> first_of_;  // by group
  std::vector<std::size_t> group_of_;  // by launch
  std::vector<char> is_drawn_;         // by launch
  std::map<std::size_t, Cycle> cycles_;
  std::mt19937_64 random_;
  unsigned rounds_ = 0;
};

}  // namespace heddle::sample
