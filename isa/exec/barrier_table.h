// The convergence barriers of a warp: who is a member, who waits there, and which lie within which.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "isa/base/types.h"
#include "isa/exec/running_path.h"

namespace heddle::exec {

/// A warp's convergence barriers, those in registers B0 to B15 and those that branches make.
/// ConvergenceBarriers owns the table, moves lanes in and out of barriers, and frees a place when its barrier
/// has no members.
class BarrierTable {
 public:
  /// A place among the barriers.
  using Index = std::uint32_t;
  static constexpr Index kNone = ~Index{0};

  // Names beside those of registers B0 to B15.
  static constexpr unsigned kImplicit = 16;  ///< Made by a branch.
  static constexpr unsigned kGather = 17;    ///< Made by an instruction at which lanes gather.

  /// One convergence barrier: the lanes that must come, and those of them that wait there already.
  struct Barrier {
    unsigned name = kImplicit;
    LaneMask members = 0;  ///< 0: the place is free.
    LaneMask waiting = 0;
    LaneMask kept = 0;  ///< Members for whom the name means another barrier, until they restore this one.
    Pc reconvergence = kNowhere;  ///< The instruction at which lanes wait; for registers, any BSYNC.
    Index outer = kNone;          ///< Implicit ones nest; the members of one are members of all around it.

    /// Members who know the barrier by its name.
    [[nodiscard]] LaneMask named() const { return members & ~kept; }
    /// Whether all members wait there.
    [[nodiscard]] bool is_complete() const { return waiting != 0 && waiting == members; }

    friend bool operator==(const Barrier&, const Barrier&) = default;
  };

  void clear() { barriers_.clear(); }
  [[nodiscard]] std::size_t size() const { return barriers_.size(); }
  [[nodiscard]] Barrier& operator[](Index index) { return barriers_[index]; }
  [[nodiscard]] const Barrier& operator[](Index index) const { return barriers_[index]; }
  [[nodiscard]] auto begin() const { return barriers_.begin(); }
  [[nodiscard]] auto end() const { return barriers_.end(); }

  /// A new one, perhaps in the place of one that has no members any more.
  Index make(const Barrier& barrier);
  /// The one at which these lanes gather for an instruction; a new one if there is none, whose members are
  /// these and those of the group.
  Index find_gather(BranchTarget group, LaneMask lanes);

  // -- registers --------------------------------------------------------------------------------------------
  /// The name means another barrier for the lanes, until they restore this one. What each keeps meanwhile is
  /// the barrier's place and one more; no barrier is 0.
  void save(unsigned name, LaneMask lanes, std::uint32_t* kept);
  /// Returns the lanes that have kept what is no barrier of this name.
  LaneMask restore(unsigned name, LaneMask lanes, const std::uint32_t* kept);

  // -- implicit ones ----------------------------------------------------------------------------------------
  /// Whether `outer` is the barrier itself or one around it.
  [[nodiscard]] bool lies_within(Index index, Index outer) const {
    while (index != kNone && index != outer) index = barriers_[index].outer;
    return index == outer;
  }
  /// The innermost that both lie within.
  [[nodiscard]] Index common(Index one, Index other) const {
    while (!lies_within(other, one)) one = barriers_[one].outer;
    return one;
  }
  /// The innermost from this one on at which lanes wait; kNone if there is none.
  [[nodiscard]] Index awaited_around(Index index) const {
    while (index != kNone && barriers_[index].waiting == 0) index = barriers_[index].outer;
    return index;
  }

  friend bool operator==(const BarrierTable&, const BarrierTable&) = default;

 private:
  std::vector<Barrier> barriers_;
};

}  // namespace heddle::exec
