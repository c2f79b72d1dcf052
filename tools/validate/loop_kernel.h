// Generates kernels that repeat a step in a loop, in one warp or many: microbenchmarks of a pipe.
//
//   step: "MUFU.RCP $t, $x; FADD $x, $t, $a"
//
// The steps of one chain depend on each other through $x. Each chain has its own $x, $t and $p (a predicate);
// $a and $b are common to all. Each of them is four registers, of which $x1 is the second; `$k` is the number
// of the step. R44 and up are free.
#pragma once

#include <cstdint>
#include <string>

namespace heddle::validate {

/// The description of a loop.
struct Loop {
  std::string declare;  ///< Directives of the kernel: ".shared words 4096".
  std::string before;   ///< Instructions before the loop, separated by semicolons like the step.
  std::string step;
  std::uint32_t steps = 1;   ///< Steps in the loop body; the chains take turns.
  std::uint32_t rounds = 1;  ///< Iterations of the loop.
  std::uint32_t chains = 1;  ///< Independent chains of each thread.
};

inline constexpr std::uint32_t kMostSteps = 4096;
inline constexpr std::uint32_t kMostChains = 4;

/// The text of a kernel without parameters. Mistakes in the step are reported by the assembler.
std::string loop_text(const Loop& loop);

}  // namespace heddle::validate
