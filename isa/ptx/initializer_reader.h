// Parses what variables are initialised with.
#pragma once

#include "isa/ptx/names.h"
#include "isa/ptx/token_reader.h"
#include "isa/ptx/variable.h"

namespace heddle::ptx {

/// Reads the initialiser behind `=` into the variable. An open first dimension gets its size from it. Throws
/// Mistake.
void read_initializer(TokenReader& tokens, const Names& names, Variable& variable);

}  // namespace heddle::ptx
