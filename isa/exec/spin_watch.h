// Tells a loop that gets on from one that only waits: lanes that come round to the same branch with the same
// registers and predicates as before will do so for ever, unless somebody else changes memory.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "isa/base/types.h"

namespace heddle::exec {

struct Warp;

/// Brent's way of finding a cycle: each round is compared with a remembered one, which is taken anew after 4,
/// 8, 16 ... rounds. So loops whose state repeats after several rounds are found, too.
class SpinWatch {
 public:
  /// Whose registers are compared: those of the lanes that jump, or of all lanes, also those that have their
  /// turns between.
  enum class Scope : std::uint8_t { RunningLanes, WholeWarp };

  explicit SpinWatch(Scope scope) : scope_(scope) {}

  /// The running lanes have jumped back from `pc`. Whether all that is compared is as in a round before, and
  /// was so in the last round, too, or often enough.
  bool repeats(const Warp& warp, Pc pc, std::size_t words, unsigned lanes);

  /// Of a whole warp: one state has come back so often that the warp may be waiting for others.
  [[nodiscard]] bool seems_endless() const { return returns_ >= kManyReturns; }
  /// Then it is looked at no more, until somebody wants to know: what the warp holds at the next round is
  /// remembered.
  void ask() { question_ = Question::Asked; }
  /// Whether the warp has come back to that, or got on; nothing while that is not known.
  [[nodiscard]] std::optional<bool> answer() const;

  /// Who is watched, and where: the branch back.
  [[nodiscard]] Pc pc() const { return pc_; }
  [[nodiscard]] LaneMask lanes() const { return lanes_; }

 private:
  static constexpr std::uint64_t kManyReturns = 256;
  enum class Question : std::uint8_t { None, Asked, Watched };

  bool look(const Warp& warp, std::size_t words, unsigned lanes);
  void begin(const Warp& warp, Pc pc);
  void remember(const Warp& warp, std::size_t words);
  [[nodiscard]] bool is_same(const Warp& warp, std::size_t words, unsigned lanes);

  Scope scope_;
  Question question_ = Question::None;
  bool was_same_ = false;  // in the last round
  Pc pc_ = ~Pc{0};
  LaneMask lanes_ = 0;
  std::uint32_t missed_ = 0;       // jumps of other lanes since these were seen
  std::uint64_t rounds_ = 0;       // since the state was remembered
  std::uint64_t next_ = 0;         // when it is remembered anew
  std::uint64_t same_rounds_ = 0;  // in all
  std::uint64_t returns_ = 0;      // of the state that is remembered
  std::size_t differing_ = 0;      // the word that differed last: most likely it does again
  std::vector<std::uint32_t> registers_;
  std::array<LaneMask, 8> predicates_{};
};

}  // namespace heddle::exec
