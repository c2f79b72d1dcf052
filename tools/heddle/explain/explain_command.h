// `heddle explain`: what the words of reports mean.
#pragma once

#include "tools/heddle/base/options.h"

namespace heddle::command {

Syntax explain_syntax();

/// Throws UsageError for words that are in no report.
int explain_command(const Arguments& arguments);

}  // namespace heddle::command
