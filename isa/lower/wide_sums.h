// Integers of 64 bits: sums, comparisons and products word by word.
#pragma once

#include "isa/lower/builder.h"

namespace heddle::lower {

void add_words(Builder& builder, const Words& sum, const Words& a, const Words& b);
void subtract_words(Builder& builder, const Words& difference, const Words& a, const Words& b);

/// A predicate that holds where a compares so with b.
Operand compare_words(Builder& builder, const Words& a, const Words& b, ir::Modifier comparison,
                      ir::Modifier int_type);

/// The low 64 bits of a * b + c.
void multiply_words(Builder& builder, const Words& result, const Words& a, const Words& b, const Words& c);

/// The high 64 bits of a * b.
void multiply_high(Builder& builder, const Words& result, const Words& a, const Words& b, bool is_signed);

}  // namespace heddle::lower
