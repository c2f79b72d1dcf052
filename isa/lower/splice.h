// Puts the body of a PTX function in the place of one call.
#pragma once

#include <vector>

#include "isa/ptx/function.h"

namespace heddle::lower {

/// Appends to `into` what the call does: `callee`, whose own calls have been replaced before, with the
/// arguments and results that the call names. An instruction that the library has a function for is a call of
/// its first operand's value and all others. The call's guard is not looked at.
void splice(ptx::Function& into, const ptx::Instruction& call, const ptx::Function& callee);

/// The same with other results and arguments than the instruction's. Of what is no call a variable's name is
/// its address.
void splice(ptx::Function& into, const ptx::Instruction& call, const ptx::Function& callee,
            const std::vector<ptx::Operand>& results, const std::vector<ptx::Operand>& arguments);

}  // namespace heddle::lower
