// Repeats the command that made a report.
#pragma once

#include <span>
#include <string_view>

#include "tools/heddle/base/options.h"

namespace heddle::command {

/// The commands with an option --again: "run", "trace info".
std::span<const std::string_view> commands_with_again();

/// Adds the option --again.
void add_again(Syntax& syntax);

/// With --again REPORT.json: the arguments that made the report, then the other arguments of this command
/// line, which replace the report's arguments of the same name. Without: the arguments unchanged. Prints a
/// note on standard error if another version made the report. Throws UsageError. Throws InputError if the
/// file is not a JSON report of `heddle COMMAND`, or if one of its input files has changed or is missing.
Arguments with_report_again(const Syntax& syntax, std::string_view command, const Arguments& arguments);

}  // namespace heddle::command
