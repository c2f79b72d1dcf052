// Checks the names of figures in expressions, so that a mistyped name is reported before anything is
// simulated.
#pragma once

#include <span>
#include <string>

#include "isa/base/diagnostic.h"
#include "tools/validate/suite.h"

namespace heddle::validate {

/// Records a problem for each figure, such as "long.cycles" or "at[4].cycles", that is neither one of the
/// names, nor the beginning of one, nor a figure of a pipe or a value of the launch.
void check_figures(const Case& one, std::span<const std::string> names, Diagnostics& problems);

}  // namespace heddle::validate
