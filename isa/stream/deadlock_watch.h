// Livelock detection: deadlocks of warps that go on issuing, because all of them spin in loops and wait for
// one another.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/stream/warp_source.h"

namespace heddle::stream {

/// A warp that has started and not ended.
struct LiveWarp {
  WarpSource* source = nullptr;
  WarpSlot slot = 0;
  bool waits = false;  ///< At a barrier, or for its warpgroup: for others, and does not issue meanwhile.
};

/// Looks at a run now and then. Where all warps that issue seem to spin, each of them is watched. It is a
/// deadlock when all have come back to the registers and the places in the program that they had when the
/// watch began, and SpinWatchable::changes() has stood still meanwhile: each will go the same way again.
/// Warps of a source that is not SpinWatchable never seem to spin.
///
/// Warps that wait at a barrier will wait on if nobody has come to a barrier meanwhile; if somebody has, they
/// must have come back like the others. Where that is all that is not known, look after look, one of them may
/// have come only after the watch had begun to where it waits for good: another watch begins.
class DeadlockWatch {
 public:
  /// `live`: all of them, in the same order each time; none if something else can happen, too. Returns the
  /// warps that spin if it is a deadlock, and none if it is not, or not known to be yet.
  std::vector<LiveWarp> spinning(const std::vector<LiveWarp>& live);

  /// Ends a watch, because a source goes whose warps it may watch.
  void stop() {
    if (!watched_.empty()) give_up();
  }

  /// "2 warps spin; all others that have started have ended or wait at barriers".
  [[nodiscard]] static std::string text(std::size_t spinning);

 private:
  void begin(const std::vector<LiveWarp>& live);
  std::vector<LiveWarp> give_up();

  static constexpr std::uint64_t kFewestLooks = 8;

  std::vector<LiveWarp> watched_;
  std::uint64_t looks_ = 0;  // since then, at which only what waits was not known
  // When the watch began:
  std::uint64_t changes_ = 0;
  std::uint64_t arrivals_ = 0;
  // Looks to skip: warps that seem to spin but make progress must not be watched often. A watch lasts longer,
  // too.
  std::uint64_t pause_ = 0;
  std::uint64_t next_pause_ = 1;
};

}  // namespace heddle::stream
