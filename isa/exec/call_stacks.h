// Where the lanes of a warp return to. NVIDIA's compilers keep return addresses in registers; here each lane
// has a stack of them of its own.
#pragma once

#include <array>
#include <vector>

#include "isa/base/types.h"

namespace heddle::exec {

/// The return addresses of one warp. CALL pushes, RET pops; each lane by itself.
class CallStacks {
 public:
  static constexpr unsigned kDeepest = 256;  ///< Calls within one another.

  void clear() { depth_.fill(0); }

  [[nodiscard]] unsigned depth(unsigned lane) const { return depth_[lane]; }

  void push(unsigned lane, Pc pc) {
    const std::size_t place = depth_[lane]++ * std::size_t{kMaxWarpSize} + lane;
    if (place >= frames_.size()) frames_.resize((place / kMaxWarpSize + 1) * kMaxWarpSize);
    frames_[place] = pc;
  }

  /// All lanes return to the same places.
  [[nodiscard]] bool is_same(const CallStacks& other) const {
    if (depth_ != other.depth_) return false;
    for (unsigned lane = 0; lane < kMaxWarpSize; ++lane) {
      for (std::size_t depth = 0; depth < depth_[lane]; ++depth) {
        if (frame(depth, lane) != other.frame(depth, lane)) return false;
      }
    }
    return true;
  }

  /// Where the lane's call at a level returns to; the outermost call has level 0.
  [[nodiscard]] Pc at(unsigned level, unsigned lane) const { return frame(level, lane); }

  /// The lane must be in a call.
  Pc pop(unsigned lane) { return frame(--depth_[lane], lane); }

 private:
  [[nodiscard]] Pc frame(std::size_t depth, unsigned lane) const {
    return frames_[depth * kMaxWarpSize + lane];
  }

  std::array<unsigned, kMaxWarpSize> depth_{};
  std::vector<Pc> frames_;  // by depth, then lane
};

}  // namespace heddle::exec
