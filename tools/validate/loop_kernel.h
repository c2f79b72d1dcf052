// Kernels that repeat a step in a loop, by one warp or many: microbenchmarks of a pipe, made when they are
// needed.
//
//   step: "MUFU.RCP $t, $x; FADD $x, $t, $a"
//
// One chain's steps wait for each other through $x. $x, $t and $p (a predicate) are the chain's own, $a and
// $b are the same for all; each is four registers, of which $x1 is the second; `$k` is the number of the
// step. R44 and up are free.
#pragma once

#include <cstdint>
#include <string>

namespace heddle::validate {

struct Loop {
  std::string declare;  ///< Directives of the kernel: ".shared words 4096".
  std::string before;   ///< Instructions ahead of the loop, with semicolons between, as in the step.
  std::string step;
  std::uint32_t steps = 1;   ///< In the body of the loop, the chains by turns.
  std::uint32_t rounds = 1;  ///< Of the loop.
  std::uint32_t chains = 1;  ///< Independent of each other, of each thread.
};

inline constexpr std::uint32_t kMostSteps = 4096;
inline constexpr std::uint32_t kMostChains = 4;

/// A kernel without parameters. What is wrong with the step, the assembler tells.
std::string loop_text(const Loop& loop);

}  // namespace heddle::validate
