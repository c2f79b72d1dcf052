// Advice for kernels whose warps wait.
#pragma once

#include <string>
#include <string_view>

#include "tools/report/summary.h"

namespace heddle::report {

/// Half a sentence of advice for the stall reason that most issue slots are lost to, given by its key: "more
/// warps would hide it, but the SM holds only 32 of 64 (registers limit)".
std::string advice(const Summary& summary, std::string_view stall);

/// The same if an SM has fewer warps than schedulers.
std::string lone_advice(const Summary& summary, std::string_view stall);

/// Advice if most warp slots are free: "a larger grid would bring more".
std::string_view what_brings_warps(const Summary& summary);

/// Advice if atomics keep memory busy.
inline constexpr std::string_view kAtomicsAdvice =
    "atomics on one address take turns, and so do those on one line: fewer of them, or more lines, would help";

}  // namespace heddle::report
