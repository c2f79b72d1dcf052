// What PTX says about the order of memory accesses and opcodes do not show. It is kept in the instructions
// until they have their order; what orders accesses on real GPUs, too (MEMBAR, BAR, strong accesses of global
// memory), needs no mark.
#pragma once

#include "isa/lower/builder.h"

namespace heddle::lower {

/// Emits a mark, which no access of memory passes: it stands for bar.warp.sync, whose WARPSYNC is mostly
/// removed, and for an acquire within the block, which costs nothing. It is a NOP.
void emit_order_mark(Builder& builder);

bool is_order_mark(const ir::Instruction& instruction);

/// Whether an access keeps its order with all others of this kind: .volatile, .relaxed and stronger ones,
/// atomics. Those of shared and local memory have the modifier for it only until the marks are removed.
bool is_strong(const ir::Instruction& instruction);

/// Removes all marks, and the modifiers that no GPU knows. Nothing may change the order of instructions
/// afterwards.
void remove_order_marks(ir::Kernel& kernel);

}  // namespace heddle::lower
