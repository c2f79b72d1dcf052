// `heddle help`: the texts of --help, and man pages and completion scripts, which are made from the same
// tables.
#pragma once

#include <span>
#include <string_view>

#include "tools/heddle/base/help.h"
#include "tools/heddle/base/options.h"
#include "tools/heddle/base/provenance.h"

namespace heddle::command {

/// What help needs to know about the program.
struct Program {
  Syntax syntax;  ///< The syntax of heddle without a command.
  std::span<const Command> commands;
  std::string_view version = program_version();
};

Syntax help_syntax();

/// Returns an ExitCode. Throws UsageError for commands that do not exist.
int run_help(const Program& program, const Arguments& arguments);

}  // namespace heddle::command
