// Replaces what instructions read and write by registers of their own.
#pragma once

#include <vector>

#include "isa/lower/allocate_rename.h"
#include "isa/lower/edit.h"
#include "isa/lower/pressure.h"

namespace heddle::lower {

/// Spilled values that an instruction names as one run, and the registers in their place.
struct ReplacedRun {
  ir::RegisterRun run;
  std::vector<Web> webs;
  ir::RegisterIndex fresh = 0;

  [[nodiscard]] bool is_written() const { return run.use == ir::RegisterRun::Use::Written; }
};

/// The runs of `pc` whose webs are spilled, each with fresh registers, not yet in the instruction. What is
/// named twice appears once.
std::vector<ReplacedRun> replaced_runs(const ir::Kernel& kernel, const Webs& webs, const SpillUnits& units,
                                       const std::vector<bool>& is_spilled, Pc pc, Numbering& numbering);

/// Puts the fresh registers in.
void rename_runs(ir::Instruction& instruction, const std::vector<ReplacedRun>& runs);

/// Whether the guard says behind the instruction what it said before.
bool keeps_guard(const ir::Instruction& instruction);

}  // namespace heddle::lower
