// The instruction table as a person reads it: what may be written, and what it does.
#pragma once

#include <string>

namespace heddle::command {

/// Two lines for each instruction, in the order of the table, and what the symbols in them mean:
///
///   FADD[.FTZ][.RN|.RZ|.RM|.RP][.SAT] Rd, R, src
///       fp32: a + b
std::string instruction_list();

}  // namespace heddle::command
