// What checks have found, in words: kernel, source line, block, thread and allocation.
#pragma once

#include <string>

#include "isa/stream/kernel_fault.h"
#include "tools/cuda/runtime/gpu.h"

namespace heddle::cudart {

/// Where in the program's source a launch failed, and in which thread: "\n  app.cu:13, thread (31,0,0)".
/// Empty if nothing is known of it.
std::string fault_place(Gpu& gpu, const stream::KernelFault& fault);

/// A line for each thing that was found on the GPU, of what is wanted; empty if nothing was. The program has
/// ended.
std::string check_report(Gpu& gpu, const CheckChoice& wanted);

}  // namespace heddle::cudart
