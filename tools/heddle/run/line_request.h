// --lines: the ledger of a run by line of its source.
#pragma once

#include <optional>
#include <vector>

#include "isa/ir/kernel.h"
#include "sim/device/run_result.h"
#include "tools/heddle/base/options.h"
#include "tools/launch/kernel_source.h"
#include "tools/report/line_profile.h"

namespace heddle::command {

/// --lines[=cuda|ptx|ir], --callers
struct LineRequest {
  std::optional<report::SourceLevel> level;  ///< Not set: what the kernel was written in.
  bool callers = false;  ///< Inlined code belongs to the line in the kernel that called it, not to its own.
};

/// Nothing if lines are not asked for. Throws UsageError.
std::optional<LineRequest> read_lines(const OptionValues& values);

/// What the kernel has lines of, from what it was written in down to the instructions that ran.
std::vector<report::SourceLevel> source_levels(const launch::KernelSource& source, const ir::Kernel& kernel);

/// Throws InputError if nothing is known of the kernel's lines at the level that is asked for.
void require_lines(const LineRequest& request, const launch::KernelSource& source, const ir::Kernel& kernel);

/// Where each instruction stands, with the text of the sources and no figures, once require_lines() or
/// source_levels() has found that there are lines.
report::LineProfile placed_lines(const LineRequest& request, const launch::KernelSource& source,
                                 const ir::Kernel& kernel);

/// The same, and the run by line. It must have been counted by instruction.
report::LineProfile line_profile(const LineRequest& request, const launch::KernelSource& source,
                                 const ir::Kernel& kernel, const sim::RunResult& result);

}  // namespace heddle::command
