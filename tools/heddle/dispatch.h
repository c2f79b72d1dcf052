// Runs the program heddle.
#pragma once

#include "tools/heddle/base/command.h"

namespace heddle::command {

/// Runs the command that the arguments name. Reports errors on standard error. Returns an ExitCode and throws
/// nothing.
int dispatch(const Arguments& arguments) noexcept;

}  // namespace heddle::command
