// The member masks of PTX's .sync instructions: the lanes that must come before any of them goes on.
#pragma once

#include "isa/lower/selection.h"

namespace heddle::lower {

/// Brings the lanes of the mask together where they may be apart.
void gather(Selection& selection, const ptx::Instruction& instruction, const ptx::Operand& mask);

/// Whether the lanes of a warp may name different masks, and so form groups that have nothing to do with one
/// another. Where the mask is a number they cannot: each lane is in the mask that it names.
bool may_differ(const ptx::Operand& mask);

/// Branches back to `loop` where lanes are left for which `again` holds, and none is without its guard.
void emit_loop_end(Selection& selection, Pc loop, ir::RegisterIndex again);

/// The guard of the instruction as an operand: PT where it has none.
Operand guard_operand(const Selection& selection, const ptx::Instruction& instruction);

/// From here on, instructions have this guard; until with_guard_of.
void without_guard(Selection& selection);
void with_guard_of(Selection& selection, const ptx::Instruction& instruction);

}  // namespace heddle::lower
