// `heddle trace`, and the commands that follow it.
#pragma once

#include "tools/heddle/base/command.h"

namespace heddle::command {

int trace_command(const Arguments& arguments);

int trace_info_command(const Arguments& arguments);
int trace_check_command(const Arguments& arguments);
int trace_convert_command(const Arguments& arguments);
int trace_cut_command(const Arguments& arguments);

}  // namespace heddle::command
