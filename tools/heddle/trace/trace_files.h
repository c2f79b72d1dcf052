// The traces that a command line names, one by one or in lists.
#pragma once

#include <string>
#include <vector>

#include "sim/trace/read/kernels_list.h"

namespace heddle::command {

/// The operands of a command that takes traces and lists. Throws UsageError if there are none.
std::vector<std::string> require_traces(const std::vector<std::string>& operands);

/// Reads a list. A trace becomes a list with one entry.
trace::KernelsList list_of_traces(const std::string& path);

/// Reports on standard error if lines of the list were ignored.
void note_passed_over(const std::string& path, const trace::KernelsList& list);

}  // namespace heddle::command
