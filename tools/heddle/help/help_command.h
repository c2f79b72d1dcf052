// `heddle help`: what --help shows, and what is made of the same tables: man pages and completion.
#pragma once

#include <span>
#include <string_view>

#include "tools/heddle/base/help.h"
#include "tools/heddle/base/options.h"

namespace heddle::command {

/// All that help can be about.
struct Program {
  Syntax syntax;  ///< Of heddle by itself.
  std::span<const Command> commands;
  std::string_view version;
};

Syntax help_syntax();

/// Returns an ExitCode. Throws UsageError for commands that do not exist.
int run_help(const Program& program, const Arguments& arguments);

}  // namespace heddle::command
