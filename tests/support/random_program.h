// Random structured programs: as kernel text, and interpreted one thread at a time straight from the
// structure.
//
// A program reads eight words a thread, computes on them in nested conditions and loops that it may leave
// early, by way of switches and calls, and writes the eight words back. What the text does in warps must be
// what the interpreter does in each thread.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/lane_values.h"

namespace heddle::test {

inline constexpr unsigned kVariables = 8;
inline constexpr unsigned kFunctions = 2;

using Variables = std::array<std::uint32_t, kVariables>;

struct Condition {
  unsigned predicate = 0;
  bool negated = false;
};

struct Statement {
  enum class Kind { Assign, Compare, If, Switch, Loop, Break, Continue, Call, Return, Exit };

  Kind kind = Kind::Assign;
  unsigned form = 0;  ///< Which operation, comparison, or way to write the statement.
  unsigned target = 0;
  std::array<unsigned, 2> sources{};
  std::uint32_t number = 0;
  bool guarded = false;  ///< Assign and Compare: only under the condition.
  Condition condition;
  std::vector<Statement> body;
  std::vector<Statement> otherwise;
  std::vector<std::vector<Statement>> cases;  ///< Switch: by the lowest bits of a variable.
};

/// A function may call those after it; the program may call all.
using Functions = std::array<std::vector<Statement>, kFunctions>;

class RandomProgram {
 public:
  explicit RandomProgram(LaneValues& values);

  /// A kernel "program" with two pointer parameters: the words in, and the words out, 32 bytes a thread.
  [[nodiscard]] std::string text() const;

  /// Whether the text has BSSY and BSYNC, so that lanes do not meet by analysis alone.
  [[nodiscard]] bool names_barriers() const { return names_barriers_; }

  /// The variables at the thread's end.
  [[nodiscard]] Variables interpret(Variables variables) const;

 private:
  bool names_barriers_;
  Functions functions_;
  std::vector<Statement> statements_;
};

}  // namespace heddle::test
