// Tells a loop that gets on from one that only waits: lanes that come round to the same branch with the same
// registers and predicates as before will do so for ever, unless somebody else changes memory.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isa/base/types.h"

namespace heddle::exec {

struct Warp;

/// Brent's way of finding a cycle: each round is compared with a remembered one, which is taken anew after 4,
/// 8, 16 ... rounds. So loops whose state repeats after several rounds are found, too.
class SpinWatch {
 public:
  /// The running lanes have jumped back from `pc`. Whether all that they hold is as in a round before, and
  /// was so in the last round, too, or often enough.
  bool repeats(const Warp& warp, Pc pc, std::size_t words, unsigned lanes);

  /// In how many rounds the same lanes held at the same place what they had held before.
  [[nodiscard]] std::uint64_t idle_rounds() const { return idle_rounds_; }

 private:
  void remember(const Warp& warp, std::size_t words);
  [[nodiscard]] bool is_same(const Warp& warp, std::size_t words, unsigned lanes);

  Pc pc_ = ~Pc{0};
  LaneMask lanes_ = 0;
  std::uint32_t missed_ = 0;  // jumps of other lanes since these were seen
  std::uint64_t rounds_ = 0;  // since the state was remembered
  std::uint64_t next_ = 0;    // when it is remembered anew
  std::uint64_t idle_rounds_ = 0;
  bool was_same_ = false;      // in the last round
  std::size_t differing_ = 0;  // the word that differed last: most likely it does again
  std::vector<std::uint32_t> registers_;
  std::array<LaneMask, 8> predicates_{};
};

}  // namespace heddle::exec
