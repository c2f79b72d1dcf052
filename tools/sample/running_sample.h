// Which launches of a running program are timed for all of them. It decides launch by launch, since nobody
// knows what the program will launch; what it learns when launches have ended changes what it decides later.
//
// Launches of one kernel, block and shared memory whose grids have about as many blocks are a group. Its
// first launches are timed; then one of each stretch of its launches, drawn at random. A stretch is longer
// the more launches there have been, and shorter where the estimate is not sure and the group weighs much.
// What a launch finds in L2 is what the launch before it left there, so that one is timed, too: before a
// launch that is drawn, all launches are timed from the last one of its group on. That last one, behind
// launches that were not timed, counts only if there is nothing else.
//
// The launches that were not timed are estimated from the warp instructions that they executed; see
// work_line.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "isa/base/types.h"
#include "tools/sample/launch_groups.h"
#include "tools/sample/work_line.h"

namespace heddle::sample {

/// What all launches of a kernel, or of a program, took, in cycles.
struct ProgramEstimate {
  std::uint64_t launches = 0;
  std::uint64_t timed = 0;
  double cycles = 0;
  double half_width = 0;  ///< Of the interval of 95 % around them.

  /// What another GPU's launches took comes to it.
  ProgramEstimate& operator+=(const ProgramEstimate& more);
};

/// The sample of one program on one GPU. The same calls give the same answers.
class RunningSample {
 public:
  /// Whether the next launch is timed; it must be if it `has_to`. Its warp instructions are not known yet,
  /// and are not looked at. Launches are numbered in the order of these calls, from 0.
  bool begin(const LaunchTraits& traits, bool has_to = false);

  /// What the launch took, or what it executed if it was not timed. Calls come in any order.
  void add_timed(std::size_t launch, Cycle cycles, std::uint64_t warp_instructions);
  void add_executed(std::size_t launch, std::uint64_t warp_instructions);

  /// What a launch that is not timed is likely to take, as far as that is known: 0 if nothing is.
  [[nodiscard]] Cycle expected(std::size_t launch) const;

  /// Of all launches that have been told of.
  [[nodiscard]] ProgramEstimate estimate() const { return estimate_of(nullptr); }
  [[nodiscard]] ProgramEstimate estimate(const std::string& kernel) const { return estimate_of(&kernel); }

 private:
  /// Kernel, threads of a block in each direction, shared bytes of a block, and the size of the grid.
  using Key = std::tuple<std::string, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, int>;
  /// Launches that are alike.
  struct Group {
    std::uint64_t launches = 0;        // that have begun
    std::uint64_t next_drawn = 0;      // which of them is timed next, from 0
    std::uint64_t timed_launches = 0;  // that have ended, like the next
    double own_cycles = 0;             // of the first one
    std::vector<TimedWork> behind;     // launches that were timed, as is the one before each
    std::vector<TimedWork> alone;      // the others that were timed
    UntimedWork untimed;
  };
  /// A launch.
  struct Launch {
    std::uint32_t group = 0;
    bool is_first = false;   // of its group
    bool is_behind = false;  // the launch before it was timed, too
  };

  [[nodiscard]] ProgramEstimate estimate_of(const std::string* kernel) const;
  [[nodiscard]] double stretch_of(const Group& group) const;
  void draw(Group& group);

  std::map<Key, std::uint32_t> numbers_;
  std::vector<Group> groups_;
  std::vector<Launch> launches_;
  std::optional<std::uint32_t> awaited_;  // all are timed until a launch of this group comes
  unsigned patience_ = 0;                 // but no more than so many
  bool was_timed_ = false;                // the last launch
  std::mt19937_64 random_;
};

}  // namespace heddle::sample
