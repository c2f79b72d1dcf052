// Optional beside WarpSource: a source that executes its program can tell that a warp only goes round a loop.
//
// A trace cannot: its warps have ended, so none of them goes round for ever.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "isa/base/types.h"

namespace heddle::stream {

/// What DeadlockWatch asks of a source. Two warps that wait for each other in loops go on issuing; only what
/// their registers and memory hold says that they get nowhere. Comparing registers costs time, so it is done
/// while a watch lasts, and a cheap suspicion, seems_to_spin(), says when one is worth while.
class SpinWatchable {
 public:
  virtual ~SpinWatchable() = default;

  /// The warp has gone round a loop several times and its registers were the same each time.
  [[nodiscard]] virtual bool seems_to_spin(WarpSlot slot) const = 0;

  /// Begins a watch of this warp: its registers are kept when it next jumps back, and compared from then on.
  virtual void watch_spin(WarpSlot slot) = 0;
  /// Since watch_spin(): true if the warp's registers have come back to what was kept, false if the warp has
  /// left its loop. Nothing while neither has happened.
  [[nodiscard]] virtual std::optional<bool> spins(WarpSlot slot) const = 0;
  /// Ends the watch of all its warps.
  virtual void end_watch() = 0;

  /// How often its warps have arrived at barriers: those of their blocks, and those of their warpgroups.
  [[nodiscard]] virtual std::uint64_t barrier_arrivals() const = 0;

  /// A count that grows whenever one of its warps does what another warp, or the clock, could make a
  /// difference to: a store or an atomic changes memory; a uniform register changes while other paths of the
  /// warp wait; a warp gives a barrier's reduction another value than the time before, or arrives where only
  /// a part of the block meets, which may be other warps than the time before; a warp reads the clock. If the
  /// count stands still, warps whose registers have come back will do the same again. While no watch lasts,
  /// stores are not compared with what was there: each counts, and uniform registers do not.
  [[nodiscard]] virtual std::uint64_t changes() const = 0;

  /// For messages: where the loop of a warp that spins begins, as WarpSource::describe() puts it, and why the
  /// warp's own lanes will not end it.
  [[nodiscard]] virtual std::string describe_spin(WarpSlot slot) const = 0;
};

}  // namespace heddle::stream
