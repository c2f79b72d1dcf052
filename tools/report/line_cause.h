// Why a line costs what it costs: what people call the mistake, where the counters show one.
//
// A stall reason says what warps waited for, not what is wrong: data from memory is late if the load is
// uncoalesced, and also if it is not. A cause is named only if the counters of the line prove it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tools/report/line_profile.h"
#include "tools/report/summary.h"

namespace heddle::report {

enum class LineCause : std::uint8_t {
  Uncoalesced,     ///< Most sectors of its accesses would not be needed with better addresses.
  BankConflicts,   ///< Most passes over the banks of shared memory are repetitions.
  Atomics,         ///< Lanes of an atomic share addresses, or memory finishes its updates after all warps.
  DependentChain,  ///< Instructions need its result before the hardware has it, and nothing else is to do.
  Barrier,         ///< Warps wait for the last one of their block.
  Divergence,      ///< Lanes of a warp take different paths, or different numbers of rounds.
};

/// "uncoalesced", "bank_conflicts", "atomics", "dependent_chain", "barrier", "divergence".
std::string_view key_of(LineCause cause);

/// A cause and what shows it: "uncoalesced accesses: 32.0 sectors each, 4.0 would do".
struct FoundCause {
  LineCause cause;
  std::string text;
};

/// Whether so much is lost for the line that a change to it may make the kernel 1.05 times as fast.
bool is_worth_naming(const Summary& summary, const sim::LineFigures& line);

/// The causes of what is lost for a line that is worth naming, if it is lost to something that they explain.
/// Often there is one, or none.
std::vector<FoundCause> line_causes(const Summary& summary, const sim::LineFigures& line);

/// What is lost for the line, and the time that memory needs for it after all blocks, as a share of all lane
/// slots of SMs that had blocks, until the end of the run.
double cost_share(const Summary& summary, const sim::LineFigures& line);
/// Share of those cycles in which memory finishes what the line asked for, after all blocks have ended.
double late_share(const Summary& summary, const sim::LineFigures& line);

}  // namespace heddle::report
