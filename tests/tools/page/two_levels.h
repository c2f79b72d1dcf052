// A kernel in PTX that says from which lines of CUDA C++ it was made, so that no compiler is needed.
#pragma once

#include <string>

#include "tests/tools/launch/scratch_folder.h"

namespace heddle::command {

/// Writes scale.cu, scale.ptx and a launch of it, whose path is returned. The load, the addition and the
/// store are on lines 18 to 20 of the PTX and on line 3 of the CUDA C++.
std::string write_two_levels(const launch::ScratchFolder& folder);

}  // namespace heddle::command
