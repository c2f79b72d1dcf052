// The text of a source file that a compiler has seen, for listings of its lines.
#pragma once

#include <string>

#include "tools/report/line_profile.h"

namespace heddle::command {

/// The file, as far as it can be read: a compiler may have seen it elsewhere. `standard_input` is the text of
/// "<stdin>", if the source came from there.
report::SourceText source_file(const std::string& name, const std::string& standard_input);

}  // namespace heddle::command
