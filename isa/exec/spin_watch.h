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

/// A loop, by its jump back and who jumps, and what these held at the end of one of its rounds. That is taken
/// anew after 4, 8, 16 ... rounds (Brent's way of finding a cycle), so that a state that comes back after
/// several rounds is found, too.
class LoopRound {
 public:
  /// Another loop, the running lanes': nothing is remembered yet.
  void begin(const Warp& warp, JumpBack jump);
  /// Whether the running lanes and their jump are this loop's, which goes on then.
  bool goes_on(const Warp& warp, JumpBack jump);
  /// Another jump back, which may be of a loop within this one, or of another path that has its turn: whether
  /// the loop may still go on. So many of them in a row, and it does not.
  bool outlasts_other(const Warp& warp, std::uint32_t most);

  /// Whether the registers and predicates of these lanes are those that are remembered.
  bool is_same(const Warp& warp, RegisterRows rows, LaneMask compared);
  void remember(const Warp& warp, RegisterRows rows);
  /// After a round that was another one: remembers it if it is time to. Whether it was.
  bool remember_in_time(const Warp& warp, RegisterRows rows);
  /// What is remembered came back, and is worth keeping.
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

/// Whether running lanes wait for others of their warp, which should have their turn then.
class LaneSpin {
 public:
  /// The running lanes jump back, while others do not run. Whether they hold what they held in a round
  /// before, and did in the last round, too, or often enough.
  bool repeats(const Warp& warp, JumpBack jump, RegisterRows rows);

 private:
  LoopRound round_;
  bool was_same_ = false;          // in the last round
  std::uint64_t same_rounds_ = 0;  // in all
};

/// Whether a warp, its other paths included, waits for other warps. A state has come back only if meanwhile
/// all paths that could run have had their turns, and nobody was let go who would otherwise wait on.
class WarpSpin {
 public:
  /// Its running lanes jump back. `is_owed`: something under way is still to reach its registers, so that
  /// they do not say what the warp will do.
  void see(const Warp& warp, JumpBack jump, RegisterRows rows, bool is_owed);

  /// One state has come back so often that the warp may be waiting for others, or was. It is looked at no
  /// more then, until somebody asks.
  [[nodiscard]] bool seems_endless() const { return returns_ >= kManyReturns; }
  /// What the warp holds at the end of the next round is remembered.
  void ask() { question_ = Question::Asked; }
  /// Whether the warp has come back to that, or got on; nothing while that is not known.
  [[nodiscard]] std::optional<bool> answer() const;

  /// The loop that is watched: its lanes and its jump back.
  [[nodiscard]] const LoopRound& round() const { return round_; }

 private:
  static constexpr std::uint64_t kManyReturns = 16;
  /// Whether somebody asked if the warp waits, and whether what it held then has been remembered.
  enum class Question : std::uint8_t { None, Asked, Watched };

  /// Where all lanes stand, and return to.
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
