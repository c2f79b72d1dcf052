// `heddle trace` and its subcommands.
#pragma once

#include "tools/heddle/base/command.h"

namespace heddle::command {

int trace_command(const Arguments& arguments);
Syntax trace_syntax();
std::span<const Command> trace_commands();

int trace_info_command(const Arguments& arguments);
Syntax trace_info_syntax();
int trace_check_command(const Arguments& arguments);
Syntax trace_check_syntax();
int trace_convert_command(const Arguments& arguments);
Syntax trace_convert_syntax();
int trace_cut_command(const Arguments& arguments);
Syntax trace_cut_syntax();

}  // namespace heddle::command
