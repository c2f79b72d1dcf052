#include "isa/exec/spin_watch.h"

#include "isa/exec/warp.h"

namespace heddle::exec {

namespace {

constexpr std::uint32_t kMostMissed = 64;  // then the lanes watched have left their loop
constexpr std::uint64_t kMostChances =
    16;  // a loop that is entered again and again may look the same once each time
constexpr std::uint64_t kFirstRemembered = 4;  // short loops cost nothing but counting

}  // namespace

bool SpinWatch::repeats(const Warp& warp, Pc pc, std::size_t words, unsigned lanes) {
  const LaneMask active = warp.paths.active();
  if (pc != pc_ || active != lanes_) {
    // There may be a loop within the loop that is watched, or another path may have its turn.
    const bool may_come_back = lanes_ != 0 && (lanes_ & ~warp.paths.live()) == 0;
    if (pc != pc_ && may_come_back && ++missed_ < kMostMissed) return false;
    pc_ = pc;
    lanes_ = active;
    missed_ = 0;
    rounds_ = 0;
    next_ = kFirstRemembered;
    idle_rounds_ = 0;
    was_same_ = false;
    return false;
  }
  missed_ = 0;
  const bool same = next_ != kFirstRemembered && is_same(warp, words, lanes);
  const bool twice = same && was_same_;
  was_same_ = same;
  if (same) {
    ++idle_rounds_;
  } else if (++rounds_ >= next_) {
    remember(warp, words);
  }
  return twice || (same && idle_rounds_ > kMostChances);
}

void SpinWatch::remember(const Warp& warp, std::size_t words) {
  registers_.assign(warp.registers.get(), warp.registers.get() + words);
  predicates_ = warp.predicates;
  rounds_ = 0;
  next_ *= 2;
}

bool SpinWatch::is_same(const Warp& warp, std::size_t words, unsigned lanes) {
  const std::uint32_t* now = warp.registers.get();
  if (differing_ < words && now[differing_] != registers_[differing_] &&
      (lanes_ >> differing_ % lanes & 1) != 0) {
    return false;
  }
  for (std::size_t p = 0; p < predicates_.size(); ++p) {
    if (((warp.predicates[p] ^ predicates_[p]) & lanes_) != 0) return false;
  }
  for (std::size_t word = 0; word < words; ++word) {
    if (now[word] == registers_[word] || (lanes_ >> word % lanes & 1) == 0) continue;
    differing_ = word;
    return false;
  }
  return true;
}

}  // namespace heddle::exec
