// The addresses of loads, stores and atomics.
#pragma once

#include <functional>

#include "isa/lower/selection.h"

namespace heddle::lower {

/// The space that an instruction names. Of a generic address: the one that it must lie in by Provenance;
/// Generic if it can lie in several.
ptx::StateSpace space_of(const Selection& selection, const ptx::Instruction& instruction,
                         const ptx::Operand& address);

/// An address operand of the IR: of global memory with a register pair, of shared and local memory with one
/// register, with what is known of its offset folded. `operand` is in brackets.
Operand address_of(Selection& selection, const ptx::Operand& operand, ptx::StateSpace space);

/// For each space that a generic address may lie in, calls `access(space)` under a guard that holds where it
/// does. With one space, under the guard as it is.
void for_each_space(Selection& selection, const ptx::Instruction& instruction, const ptx::Operand& address,
                    const std::function<void(ptx::StateSpace)>& access);

}  // namespace heddle::lower
