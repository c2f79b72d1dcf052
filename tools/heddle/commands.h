// The commands of the program heddle.
#pragma once

#include <span>

#include "tools/heddle/base/command.h"

namespace heddle::command {

/// In the order in which the help lists them.
std::span<const Command> commands();

/// The syntax of heddle without a command.
Syntax heddle_syntax();

}  // namespace heddle::command
