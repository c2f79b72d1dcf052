// The selection of comparisons, as far as integers and floating-point numbers have it in common.
#pragma once

#include "isa/lower/selection.h"

namespace heddle::lower {

/// How a comparison is combined with the predicate behind its operands: .and (with PT it stays as it is),
/// .or, .xor.
ir::Modifier boolean_of(const ptx::Instruction& instruction);

/// p and q of p|q; q is PT where there is only one.
struct PredicateResults {
  Operand first;
  Operand second;
};

PredicateResults predicate_results(Selection& selection, const ptx::Operand& operand);

}  // namespace heddle::lower
