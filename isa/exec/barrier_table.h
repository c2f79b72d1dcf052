// The convergence barriers of a warp: the members of each, the lanes that wait there, and how barriers nest.
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
  /// The place of a barrier in the table.
  using Index = std::uint32_t;
  static constexpr Index kNone = ~Index{0};

  // The names of barriers that are in no register; 0 to 15 are registers B0 to B15.
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

  /// Adds a barrier, in the place of one that has no members any more if there is such a place.
  Index make(const Barrier& barrier);
  /// The barrier at which these lanes gather for an instruction. If there is none, a new one is made, whose
  /// members are these lanes and those of the group.
  Index find_gather(BranchTarget group, LaneMask lanes);

  // -- registers --------------------------------------------------------------------------------------------
  /// For the lanes the name will mean another barrier, until they restore this one. Meanwhile `kept` holds,
  /// for each lane, the barrier's place + 1, or 0 if there is no barrier.
  void save(unsigned name, LaneMask lanes, std::uint32_t* kept);
  /// Returns the lanes whose `kept` names no barrier of this name.
  LaneMask restore(unsigned name, LaneMask lanes, const std::uint32_t* kept);

  // -- implicit barriers ------------------------------------------------------------------------------------
  /// Whether `outer` is the barrier itself or one around it.
  [[nodiscard]] bool lies_within(Index index, Index outer) const {
    while (index != kNone && index != outer) index = barriers_[index].outer;
    return index == outer;
  }
  /// The innermost barrier that both lie within.
  [[nodiscard]] Index common(Index one, Index other) const {
    while (!lies_within(other, one)) one = barriers_[one].outer;
    return one;
  }
  /// The innermost barrier from this one outwards at which lanes wait; kNone if there is none.
  [[nodiscard]] Index awaited_around(Index index) const {
    while (index != kNone && barriers_[index].waiting == 0) index = barriers_[index].outer;
    return index;
  }

  friend bool operator==(const BarrierTable&, const BarrierTable&) = default;

 private:
  std::vector<Barrier> barriers_;
};

}  // namespace heddle::exec
