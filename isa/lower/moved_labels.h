// What names places in a PTX function's body, after instructions have moved.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/ptx/function.h"

namespace heddle::lower {

/// By index into the body as it was, and one more for its end: where the instruction is now.
using Moved = std::vector<std::uint32_t>;

/// The labels that one instruction names.
void move_labels(ptx::Instruction& instruction, const Moved& moved);

/// The first so many branch tables and pragmas of the function.
void move_tables(ptx::Function& function, std::size_t tables, std::size_t pragmas, const Moved& moved);

/// All of them, in all instructions.
void move_labels(ptx::Function& function, const Moved& moved);

}  // namespace heddle::lower
