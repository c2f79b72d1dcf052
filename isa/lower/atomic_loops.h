// Atomics for which there is no instruction, as compare-and-swap loops.
#pragma once

#include <functional>

#include "isa/lower/selection.h"

namespace heddle::lower {

/// A cell of memory that an atomic updates: a word of 32 bits or one of 64.
struct Cell {
  Operand address;  ///< As address_of gives it.
  bool is_shared = false;
  bool is_wide = false;
  ir::Modifier scope = ir::Modifier::ScopeGpu;
};

/// Makes the new value from the old one, both the first of one or two registers. What it appends stands under
/// the builder's guard.
using Update = std::function<Operand(const Operand& old)>;

/// Appends the loop. Its result, the old value, is in new registers.
Operand emit_update_loop(Selection& selection, const Cell& cell, const Update& update);

/// Half a word of memory: where the word is, and how far up the half lies in it.
struct HalfCell {
  Operand word;   ///< The word's address.
  Operand shift;  ///< A register: 0 or 16.
};

HalfCell half_cell(Selection& selection, const Operand& address, bool is_shared);

/// Emits the half of the word into the low half of a register; what its upper half holds is undefined.
Operand extract_half(Selection& selection, const Operand& word, const HalfCell& cell);

/// Emits the word with the low half of `half` in the half's place.
Operand insert_half(Selection& selection, const Operand& word, const Operand& half, const HalfCell& cell);

}  // namespace heddle::lower
