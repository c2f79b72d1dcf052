// The commands of heddle.
#pragma once

#include <span>

#include "tools/heddle/base/command.h"

namespace heddle::command {

/// In the order in which they are listed.
std::span<const Command> commands();

/// Of heddle by itself.
Syntax heddle_syntax();

/// Runs the command that the arguments name and tells what goes wrong on standard error. Throws nothing.
int dispatch(const Arguments& arguments) noexcept;

}  // namespace heddle::command
