// `heddle explain`: explains the words of reports.
#pragma once

#include "tools/heddle/base/options.h"

namespace heddle::command {

Syntax explain_syntax();

/// Throws UsageError for words that no report has.
int explain_command(const Arguments& arguments);

}  // namespace heddle::command
