// The instruction table for people: the syntax of each instruction, and what it does.
#pragma once

#include <string>

namespace heddle::command {

/// Two lines for each instruction, in the order of the table, and the meaning of the symbols in them:
///
///   FADD[.FTZ][.RN|.RZ|.RM|.RP][.SAT] Rd, R, src
///       fp32: a + b
std::string instruction_list();

}  // namespace heddle::command
