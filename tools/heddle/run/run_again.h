// A run is repeated from its report.
#pragma once

#include "tools/heddle/base/options.h"

namespace heddle::command {

/// Where --again REPORT.json is given, the arguments that made the report, then the others that are given
/// beside it, which take the place of the report's of the same name; else the arguments as they are. Says on
/// standard error if another version made the report. Throws UsageError, and InputError where the file is no
/// JSON report of `heddle run`, or a file that went in has changed or is gone.
Arguments with_report_again(const Syntax& syntax, const Arguments& arguments);

}  // namespace heddle::command
