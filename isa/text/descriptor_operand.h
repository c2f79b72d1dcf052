// Descriptors of matrices in shared memory as operands of warpgroups' products: gdesc[UR4].
#pragma once

#include "isa/ir/instruction.h"
#include "isa/text/operand_place.h"
#include "isa/text/statement_reader.h"

namespace heddle::text {

/// gdesc[UR4], perhaps with .tnspA or .tnspB behind it. Throws Mistake.
ir::Operand read_matrix_descriptors(StatementReader& reader, OperandPlace& where);

}  // namespace heddle::text
