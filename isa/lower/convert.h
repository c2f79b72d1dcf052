// The parts of cvt. Each writes the instruction's result.
#pragma once

#include "isa/lower/floats.h"

namespace heddle::lower {

void convert_between_floats(Selection& s, const ptx::Instruction& i);
void convert_to_float(Selection& s, const ptx::Instruction& i);
void convert_to_integer(Selection& s, const ptx::Instruction& i);

/// The bits of the register that is written.
unsigned register_bits(Selection& s, const ptx::Operand& operand);

/// Emits the lowest `bits` of a word, extended by their sign or by zeros.
Operand extended_word(Selection& s, const Operand& word, unsigned bits, bool has_sign);

/// A word that is a value of type `from`, as far as the type `to` of up to 32 bits can hold it.
Operand saturated(Selection& s, const Operand& word, ptx::Modifier to, ptx::Modifier from);

/// Writes a value of up to 32 bits, extended as its type says.
void write_integer(Selection& s, const ptx::Instruction& i, ptx::Modifier to, const Operand& word);
void write_words(Selection& s, const ptx::Instruction& i, const Words& value);

}  // namespace heddle::lower
