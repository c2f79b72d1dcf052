// When a run in which warps still issue is over all the same: they only wait, for one another.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "isa/stream/warp_source.h"

namespace heddle::stream {

/// A warp that waits for nothing but what it looks for itself.
struct GoingWarp {
  WarpSource* source = nullptr;
  WarpSlot slot = 0;

  friend bool operator==(const GoingWarp&, const GoingWarp&) = default;
};

/// Looks at a run now and then. Where all warps that can go on seem to spin, it has a watch kept on each:
/// when all have come back to what their registers held, and memory holds what it held, and nobody has read
/// the clock, then this is what will happen for ever.
class StillStand {
 public:
  /// `going`: all of them, in the same order each time; none if something else can happen, too. `memory` is
  /// asked only where they seem to spin. Whether they will for ever.
  bool is_for_good(const std::vector<GoingWarp>& going, const std::function<std::uint64_t()>& memory);

  /// "2 warps spin; all others that have started have ended or wait at barriers".
  [[nodiscard]] static std::string text(std::size_t spinning);

 private:
  bool give_up();

  std::vector<GoingWarp> watched_;
  std::uint64_t memory_ = 0;
  std::uint64_t pause_ = 0;  // looks to pass over: those that seem to spin and get on must not be asked often
  std::uint64_t next_pause_ = 1;
};

}  // namespace heddle::stream
