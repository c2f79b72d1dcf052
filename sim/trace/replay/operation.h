// Makes an operation of the timing model from one instruction of a trace.
//
// A trace names only general registers, and only the first one of each operand. The opcode tells how many
// registers an operand has.
#pragma once

#include <string>

#include "isa/ir/instruction.h"
#include "isa/stream/static_op.h"
#include "sim/trace/format/trace_line.h"

namespace heddle::trace {

/// An instruction as the timing model sees it.
struct Operation {
  stream::StaticOp op;
  ir::Instruction instruction;  ///< Opcode and modifiers of the table's row, without operands.
  /// Mnemonic of the row that it is timed as, if the instruction table lacks the instruction; else empty.
  std::string as;
};

/// Loads, stores and atomics whose opcode names no memory space.
bool has_generic_address(std::string_view opcode);

/// `space` is that of generic addresses. Without `has_uniform`, the instruction waits only for general
/// registers.
Operation make_operation(const TraceLine& line, stream::MemorySpace space, bool has_uniform);

}  // namespace heddle::trace
