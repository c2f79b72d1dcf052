// What a kernel has printed in a run, and which of its assertions failed.
#pragma once

#include <functional>
#include <string>

#include "isa/exec/memory.h"
#include "isa/ir/kernel.h"
#include "isa/stream/kernel_fault.h"
#include "tools/heddle/run/run_request.h"

namespace heddle::command {

/// Whether the kernel calls printf or assert, so that all of its blocks have to be executed.
bool prints(const ir::Kernel& kernel);

/// Receives the text that a kernel has printed, as it is.
using Say = std::function<void(const std::string&)>;

/// Writes text of kernels to standard output, or to standard error if a report for programs goes there.
Say say_before_report(const RunRequest& request);

/// Hands on what the kernel has printed, by threads as they came, once `run` has come to its end or has
/// failed. The message of a KernelFault gets a line for each assertion that failed.
void run_and_say(const std::function<void()>& run, exec::GlobalMemory& memory, const Say& say);

}  // namespace heddle::command
