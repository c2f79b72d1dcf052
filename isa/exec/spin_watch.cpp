#include "isa/exec/spin_watch.h"

#include "isa/exec/warp.h"

namespace heddle::exec {

namespace {

// Jumps of others, after which the lanes watched must have left their loop.
constexpr std::uint32_t kMostMissedByLanes = 64;
// A loop that is entered again and again may look the same once each time.
constexpr std::uint64_t kMostChances = 16;

/// The same for a warp, each of whose other paths has a turn meanwhile, of as many jumps as a turn may last.
std::uint32_t most_missed_by_warp(const Warp& warp) {
  const std::size_t paths = warp.paths.records() + 2;
  return static_cast<std::uint32_t>(2 * ConvergenceBarriers::kRoundsInATurn * paths);
}

}  // namespace

void LoopRound::begin(const Warp& warp, JumpBack jump) {
  jump_ = jump;
  lanes_ = warp.paths.active();
  missed_ = 0;
  rounds_ = 0;
  next_ = kFirstRemembered;
  registers_.clear();
}

bool LoopRound::goes_on(const Warp& warp, JumpBack jump) {
  if (jump.from != jump_.from || warp.paths.active() != lanes_) return false;
  missed_ = 0;
  return true;
}

bool LoopRound::outlasts_other(const Warp& warp, std::uint32_t most) {
  const bool are_alive = lanes_ != 0 && (lanes_ & ~warp.paths.live()) == 0;
  return are_alive && ++missed_ < most;
}

bool LoopRound::is_same(const Warp& warp, RegisterRows rows, LaneMask compared) {
  if (registers_.empty()) return false;
  const std::uint32_t* now = warp.registers.get();
  const auto differs = [&](std::size_t word) {
    return now[word] != registers_[word] && (compared >> word % rows.lanes & 1) != 0;
  };
  if (differs(differing_)) return false;
  for (std::size_t p = 0; p < predicates_.size(); ++p) {
    if (((warp.predicates[p] ^ predicates_[p]) & compared) != 0) return false;
  }
  for (std::size_t word = 0; word < rows.words; ++word) {
    if (!differs(word)) continue;
    differing_ = word;
    return false;
  }
  return true;
}

void LoopRound::remember(const Warp& warp, RegisterRows rows) {
  registers_.assign(warp.registers.get(), warp.registers.get() + rows.words);
  predicates_ = warp.predicates;
  rounds_ = 0;
  next_ *= 2;
}

bool LoopRound::remember_in_time(const Warp& warp, RegisterRows rows) {
  if (++rounds_ < next_) return false;
  remember(warp, rows);
  return true;
}

bool LaneSpin::repeats(const Warp& warp, JumpBack jump, RegisterRows rows) {
  if (!round_.goes_on(warp, jump)) {
    const bool is_other_jump = jump.from != round_.jump().from;
    if (is_other_jump && round_.outlasts_other(warp, kMostMissedByLanes)) return false;
    round_.begin(warp, jump);
    same_rounds_ = 0;
    was_same_ = false;
    return false;
  }
  const bool same = round_.is_same(warp, rows, round_.lanes());
  const bool is_second = same && was_same_;
  was_same_ = same;
  if (!same) {
    round_.remember_in_time(warp, rows);
    return false;
  }
  return ++same_rounds_ > kMostChances || is_second;
}

void WarpSpin::see(const Warp& warp, JumpBack jump, RegisterRows rows, bool is_owed) {
  if (warp.paths.may_let_go()) return begin(warp, jump);
  if (!round_.goes_on(warp, jump)) {
    if (!round_.outlasts_other(warp, most_missed_by_warp(warp))) begin(warp, jump);
  } else if (is_owed || (question_ == Question::None && seems_endless())) {
    return;
  } else if (question_ == Question::Asked) {
    round_.remember(warp, rows);
    remember_places(warp);
    question_ = Question::Watched;
  } else if (round_.is_same(warp, rows, warp.paths.live()) && places_->paths.is_same(warp.paths) &&
             places_->calls.is_same(warp.calls)) {
    round_.keep();
    if (!warp.paths.have_all_had_turns(turns_)) return;
    ++returns_;
    turns_ = warp.paths.turns();
  } else if (round_.remember_in_time(warp, rows)) {
    remember_places(warp);
    question_ = Question::None;
  }
}

void WarpSpin::begin(const Warp& warp, JumpBack jump) {
  round_.begin(warp, jump);
  returns_ = 0;
  question_ = Question::None;
}

void WarpSpin::remember_places(const Warp& warp) {
  places_ = std::make_unique<Places>(Places{warp.paths, warp.calls});
  turns_ = warp.paths.turns();
  returns_ = 0;
}

std::optional<bool> WarpSpin::answer() const {
  if (question_ == Question::None) return false;
  if (question_ == Question::Watched && returns_ >= 2) return true;
  return std::nullopt;
}

}  // namespace heddle::exec
