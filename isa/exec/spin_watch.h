// Tells a loop that makes progress from one that only waits (a spin loop). A warp that comes to the same jump
// back with the same registers and predicates, and with all its lanes and their calls at the same places,
// will do so again, as long as it reads nothing new from memory, the clock or other warps.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "isa/base/types.h"
#include "isa/exec/call_stacks.h"
#include "isa/exec/paths.h"
#include "isa/exec/predicates.h"

namespace heddle::exec {

struct Warp;

/// A jump back: the end of an iteration of a loop.
struct JumpBack {
  Pc from = ~Pc{0};
  Pc to = 0;
};

/// The extent of a warp's registers: so many words, in rows of a word for each lane.
struct RegisterRows {
  std::size_t words = 0;
  unsigned lanes = 0;
};

/// A loop: its jump back, the lanes that jump, and the state that these had at the end of one of its rounds.
/// The state is taken anew after 4, 8, 16 ... rounds (Brent's cycle detection), so that a state that comes
/// back after several rounds is found, too.
class LoopRound {
 public:
  /// Begins with another loop, that of the running lanes. No state is remembered yet.
  void begin(const Warp& warp, JumpBack jump);
  /// Whether the running lanes and their jump are this loop's. Then it goes on.
  bool goes_on(const Warp& warp, JumpBack jump);
  /// Notes another jump back: it may be of a loop within this one, or of another path that runs now. Returns
  /// whether the loop may still go on: not after `most` of them in a row.
  bool outlasts_other(const Warp& warp, std::uint32_t most);

  /// Whether the registers and predicates of these lanes are those of the remembered state.
  bool is_same(const Warp& warp, RegisterRows rows, LaneMask compared);
  void remember(const Warp& warp, RegisterRows rows);
  /// After a round with another state: remembers this one if it is time to. Returns whether it was.
  bool remember_in_time(const Warp& warp, RegisterRows rows);
  /// The remembered state came back: keeps it.
  void keep() { rounds_ = 0; }

  [[nodiscard]] JumpBack jump() const { return jump_; }
  [[nodiscard]] LaneMask lanes() const { return lanes_; }

 private:
  static constexpr std::uint64_t kFirstRemembered = 4;  // short loops cost nothing but counting

  JumpBack jump_;
  LaneMask lanes_ = 0;
  std::uint32_t missed_ = 0;               // other jumps since the last of this loop
  std::uint64_t rounds_ = 0;               // since one was remembered
  std::uint64_t next_ = kFirstRemembered;  // when one is remembered anew
  std::size_t differing_ = 0;              // the word that differed last: most likely it does again
  std::vector<std::uint32_t> registers_;   // empty: nothing is remembered
  Predicates predicates_{};
};

/// Finds out whether the running lanes wait for other lanes of their warp, which should run then.
class LaneSpin {
 public:
  /// The running lanes jump back while others cannot run. Returns whether their state came back in this round
  /// and in the last one, or often enough in all.
  bool repeats(const Warp& warp, JumpBack jump, RegisterRows rows);

 private:
  LoopRound round_;
  bool was_same_ = false;          // in the last round
  std::uint64_t same_rounds_ = 0;  // in all
};

/// Finds out whether a warp, with all its paths, waits for other warps. A state has come back only if
/// meanwhile all paths that could run have run, and no lane was released early.
class WarpSpin {
 public:
  /// The warp's running lanes jump back. `is_owed`: an atomic's result is still to reach its registers, so
  /// that they do not tell what the warp will do.
  void see(const Warp& warp, JumpBack jump, RegisterRows rows, bool is_owed);

  /// Whether a state has come back so often that the warp may wait for others, or did. Then states are not
  /// compared any more until ask().
  [[nodiscard]] bool seems_endless() const { return returns_ >= kManyReturns; }
  /// Asks whether the warp waits: its state at the end of the next round is remembered.
  void ask() { question_ = Question::Asked; }
  /// Whether the warp has come back to that state (true) or made progress (false); nothing while that is not
  /// known.
  [[nodiscard]] std::optional<bool> answer() const;

  /// The loop that is watched: its lanes and its jump back.
  [[nodiscard]] const LoopRound& round() const { return round_; }

 private:
  static constexpr std::uint64_t kManyReturns = 16;
  /// Whether somebody asked if the warp waits, and whether what it held then has been remembered.
  enum class Question : std::uint8_t { None, Asked, Watched };

  /// The places of all lanes, and the places to which their calls return.
  struct Places {
    Paths paths;
    CallStacks calls;
  };

  void begin(const Warp& warp, JumpBack jump);
  void remember_places(const Warp& warp);

  LoopRound round_;
  std::unique_ptr<const Places> places_;  // remembered with the registers
  Question question_ = Question::None;
  std::uint64_t turns_ = 0;    // turns of the paths when the state was there last
  std::uint64_t returns_ = 0;  // how often the remembered state came back
};

}  // namespace heddle::exec
