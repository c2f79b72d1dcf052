// An instruction of our own instruction table in the form that a trace line has.
#pragma once

#include "isa/ir/kernel.h"
#include "sim/trace/format/trace_line.h"

namespace heddle::trace {

inline constexpr std::size_t kMostSources = 4;  ///< Most sources that Accel-Sim's parser accepts.

/// The columns of a trace line that are the same each time the instruction executes.
struct SassForm {
  TraceInstruction instruction;
  std::int64_t immediate = 0;  ///< The last immediate operand.
};

/// The opcode with its modifiers, the first register of the result, and the source registers in order.
SassForm sass_form(const ir::Kernel& kernel, Pc pc);

}  // namespace heddle::trace
