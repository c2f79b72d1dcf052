// --lines: the ledger of a run by line of its source.
#pragma once

#include <optional>

#include "isa/base/diagnostic.h"
#include "sim/device/run_result.h"
#include "tools/heddle/base/options.h"
#include "tools/launch/launch_file.h"
#include "tools/report/line_profile.h"

namespace heddle::command {

/// --lines[=cuda|ptx|ir]
struct LineRequest {
  std::optional<report::SourceLevel> level;  ///< Not set: what the kernel was written in.
};

/// Nothing if lines are not asked for. Throws UsageError.
std::optional<LineRequest> read_lines(const OptionValues& values);

/// Adds a problem if nothing is known of the kernel's lines at the level that is asked for.
void require_lines(const LineRequest& request, const launch::LaunchFile& file, Diagnostics& problems);

/// The run by line, with the text of the sources. The launch must have passed require_lines(), and the run
/// must have been counted by instruction.
report::LineProfile line_profile(const LineRequest& request, const launch::LaunchFile& file,
                                 const sim::RunResult& result);

}  // namespace heddle::command
