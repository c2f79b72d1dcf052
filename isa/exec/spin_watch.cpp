#include "isa/exec/spin_watch.h"

#include "isa/exec/warp.h"

namespace heddle::exec {

namespace {

// Jumps of others, after which the lanes watched must have left their loop. Other paths of the warp take
// longer turns.
constexpr std::uint32_t kMostMissedByLanes = 64;
constexpr std::uint32_t kMostMissedByWarp = 4096;
constexpr std::uint64_t kMostChances =
    16;  // a loop that is entered again and again may look the same once each time
constexpr std::uint64_t kFirstRemembered = 4;  // short loops cost nothing but counting

}  // namespace

bool SpinWatch::repeats(const Warp& warp, Pc pc, std::size_t words, unsigned lanes) {
  if (pc != pc_ || warp.paths.active() != lanes_) {
    // There may be a loop within the loop that is watched, or another path may have its turn.
    const bool may_come_back = lanes_ != 0 && (lanes_ & ~warp.paths.live()) == 0;
    const bool is_whole = scope_ == Scope::WholeWarp;
    const std::uint32_t most_missed = is_whole ? kMostMissedByWarp : kMostMissedByLanes;
    if ((pc != pc_ || is_whole) && may_come_back && ++missed_ < most_missed) return false;
    begin(warp, pc);
    return false;
  }
  missed_ = 0;
  return look(warp, words, lanes);
}

bool SpinWatch::look(const Warp& warp, std::size_t words, unsigned lanes) {
  const bool is_whole = scope_ == Scope::WholeWarp;
  if (question_ == Question::Asked) {
    remember(warp, words);
    question_ = Question::Watched;
    return false;
  }
  if (is_whole && question_ == Question::None && seems_endless()) return true;
  const bool same = next_ != kFirstRemembered && is_same(warp, words, lanes);
  const bool twice = same && was_same_;
  was_same_ = same;
  if (same) {
    ++same_rounds_;
    ++returns_;
    if (is_whole) rounds_ = 0;  // what comes back is worth to be remembered
  } else if (++rounds_ >= next_) {
    question_ = Question::None;
    remember(warp, words);
  }
  return twice || (same && same_rounds_ > kMostChances);
}

std::optional<bool> SpinWatch::answer() const {
  if (question_ == Question::None) return false;
  if (question_ == Question::Watched && returns_ >= 2) return true;
  return std::nullopt;
}

void SpinWatch::begin(const Warp& warp, Pc pc) {
  pc_ = pc;
  lanes_ = warp.paths.active();
  missed_ = 0;
  rounds_ = 0;
  next_ = kFirstRemembered;
  same_rounds_ = 0;
  returns_ = 0;
  was_same_ = false;
  question_ = Question::None;
}

void SpinWatch::remember(const Warp& warp, std::size_t words) {
  registers_.assign(warp.registers.get(), warp.registers.get() + words);
  predicates_ = warp.predicates;
  rounds_ = 0;
  next_ *= 2;
  returns_ = 0;
}

bool SpinWatch::is_same(const Warp& warp, std::size_t words, unsigned lanes) {
  const LaneMask compared = scope_ == Scope::WholeWarp ? warp.paths.live() : lanes_;
  const std::uint32_t* now = warp.registers.get();
  if (differing_ < words && now[differing_] != registers_[differing_] &&
      (compared >> differing_ % lanes & 1) != 0) {
    return false;
  }
  for (std::size_t p = 0; p < predicates_.size(); ++p) {
    if (((warp.predicates[p] ^ predicates_[p]) & compared) != 0) return false;
  }
  for (std::size_t word = 0; word < words; ++word) {
    if (now[word] == registers_[word] || (compared >> word % lanes & 1) == 0) continue;
    differing_ = word;
    return false;
  }
  return true;
}

}  // namespace heddle::exec
