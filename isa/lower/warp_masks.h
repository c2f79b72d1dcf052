// The member masks of PTX's .sync instructions: the lanes that must come before any of them goes on.
#pragma once

#include "isa/lower/selection.h"

namespace heddle::lower {

/// Brings the lanes of the mask together. Where they are together anyway, remove_gathers takes that out.
void gather(Selection& selection, const ptx::Operand& mask);

/// Whether the lanes of a warp may name different masks, and so form groups that have nothing to do with one
/// another. Where the mask is a number they cannot: each lane is in the mask that it names.
bool may_differ(const ptx::Operand& mask);

/// What a guard says, as an operand: PT where there is none.
Operand as_operand(const ir::Guard& guard);

/// Goes back to `loop` with the lanes of the builder's guard for which the predicate holds.
void emit_loop_end(Selection& selection, Pc loop, ir::RegisterIndex again);

}  // namespace heddle::lower
