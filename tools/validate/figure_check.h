// Finds the names of figures in expressions, so that a mistyped one is told before anything is simulated.
#pragma once

#include <span>
#include <string>

#include "isa/base/diagnostic.h"
#include "tools/validate/suite.h"

namespace heddle::validate {

/// Records a problem for each figure of a run, as in "long.cycles" or "at[4].cycles", that is none of the
/// names, nor the beginning of one, nor a pipe's or a launch value's.
void check_figures(const Case& one, std::span<const std::string> names, Diagnostics& problems);

}  // namespace heddle::validate
