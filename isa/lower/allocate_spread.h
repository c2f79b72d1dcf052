// Gives bundles the registers that ptxas would give them.
//
// ptxas does not use as few registers as it can. In the machine code of tests/isa/compiled and of
// docs/writing.md, values that one instruction reads together lie in different banks in nine cases of ten, and a
// register that a load or store has read stays unused for a while, as long as an occupancy step has others.
// So each value gets the lowest register that makes the fewest warps wait.
#pragma once

#include "isa/lower/allocate_colour.h"

namespace heddle::lower {

/// With at most `most` registers, R1 not among them. Some nodes may fail where find_colouring() finds places
/// for all. Always the same for the same problem, in time in proportion to its edges and registers.
Colouring spread_colouring(const ColouringProblem& problem, unsigned most);

}  // namespace heddle::lower
