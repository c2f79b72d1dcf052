// An instruction of ours as a line of a trace names it.
#pragma once

#include "isa/ir/kernel.h"
#include "sim/trace/format/trace_line.h"

namespace heddle::trace {

inline constexpr std::size_t kMostSources = 4;  ///< Accel-Sim's parser takes no more.

struct SassForm {
  TraceInstruction instruction;
  std::int64_t immediate = 0;  ///< The last one.
};

/// Opcode with its modifiers, first register of the result, registers of the sources in their order.
SassForm sass_form(const ir::Kernel& kernel, Pc pc);

}  // namespace heddle::trace
