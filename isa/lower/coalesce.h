// Puts webs side by side where instructions take them as runs, and into one register where a MOV copies one
// to the other.
#pragma once

#include <vector>

#include "isa/lower/allocate_bundles.h"
#include "isa/lower/allocate_numbering.h"

namespace heddle::lower {

/// A run of virtual registers that an instruction names.
struct NamedRun {
  Pc pc = 0;
  ir::RegisterRun run;
  std::vector<Web> webs;

  /// Its first register is a multiple of this number.
  [[nodiscard]] unsigned alignment() const;
};

/// Runs of two registers or more. Those in the innermost loops come first.
std::vector<NamedRun> named_runs(const ir::Kernel& kernel, const Webs& webs);

/// Makes bundles of all runs. Returns the runs that conflict with others, because a value would have to be in
/// two places at once.
std::vector<NamedRun> join_runs(Bundles& bundles, const std::vector<NamedRun>& runs);

/// Gives the instructions that name these runs registers of their own, by copies before or behind them.
/// Returns how many copies.
unsigned separate_runs(ir::Kernel& kernel, const std::vector<NamedRun>& runs, Numbering& numbering);

/// Joins the registers of copies where that is possible, in the innermost loops first. Returns whether it has
/// joined any.
bool join_copies(Bundles& bundles, const Webs& webs, const std::vector<Copy>& copies);

}  // namespace heddle::lower
