// A report is made again from what it says of itself.
#pragma once

#include <span>
#include <string_view>

#include "tools/heddle/base/options.h"

namespace heddle::command {

/// The commands that have an option --again: "run", "trace info".
std::span<const std::string_view> commands_with_again();

/// Adds --again.
void add_again(Syntax& syntax);

/// Where --again REPORT.json is given, the arguments that made the report, then the others that are given
/// beside it, which take the place of the report's of the same name; else the arguments as they are. Says on
/// standard error if another version made the report. Throws UsageError, and InputError where the file is no
/// JSON report of `heddle COMMAND`, or a file that went in has changed or is gone.
Arguments with_report_again(const Syntax& syntax, std::string_view command, const Arguments& arguments);

}  // namespace heddle::command
