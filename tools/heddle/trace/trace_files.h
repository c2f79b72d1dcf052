// The traces that a command line names, by themselves or in lists.
#pragma once

#include <string>
#include <vector>

#include "sim/trace/read/kernels_list.h"

namespace heddle::command {

/// The operands of a command that takes traces and lists. Throws UsageError if there are none.
std::vector<std::string> require_traces(const std::vector<std::string>& operands);

/// A list as it is; a trace as a list of one.
trace::KernelsList list_of_traces(const std::string& path);

/// Tells on standard error of lines that were passed over, if there were any.
void note_passed_over(const std::string& path, const trace::KernelsList& list);

}  // namespace heddle::command
