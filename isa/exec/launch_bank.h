// Constant bank 0 of a launch.
#pragma once

#include <cstddef>
#include <vector>

#include "isa/exec/launch.h"

namespace heddle::exec {

/// What the launch defines, by ir::LaunchBankLayout, then the parameters.
std::vector<std::byte> launch_bank(const Launch& launch);

}  // namespace heddle::exec
