// One instruction of a trace as an operation of the timing model.
//
// A trace names general registers only, each by its first one; how many there are of each, the opcode says.
#pragma once

#include <string>

#include "isa/stream/static_op.h"
#include "sim/trace/format/trace_line.h"

namespace heddle::trace {

struct Operation {
  stream::StaticOp op;
  std::string as;  ///< Mnemonic of the row that it was timed as, if the instruction table has not its own.
};

/// Loads, stores and atomics that no space is named in.
bool has_generic_address(std::string_view opcode);

/// `space`: of generic addresses. Without `has_uniform`, only general registers are waited for.
Operation make_operation(const TraceLine& line, stream::MemorySpace space, bool has_uniform);

}  // namespace heddle::trace
