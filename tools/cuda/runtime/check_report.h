// What checks and faults have found, in words: kernel, source line, block, thread and allocation.
#pragma once

#include <string>

#include "isa/stream/kernel_fault.h"
#include "tools/cuda/runtime/gpu.h"

namespace heddle::cudart {

/// A launch has failed: prints what its kernels have printed before, and notes CUDA's code for it, which each
/// call answers from now on. Returns what happened, and where in the program's source and in which thread, if
/// that is known: "...\n  app.cu:13, thread (31,0,0) of scale".
std::string note_fault(Gpu& gpu, const stream::KernelFault& fault);

/// A line for each kind of mistake that a GPU lets pass, and that was let pass, and for what was timed
/// otherwise than a GPU would take; empty if there is nothing to say.
std::string notes_on(Gpu& gpu);

/// A line for each thing that was found on the GPU, of what is wanted; empty if nothing was. The program has
/// ended.
std::string check_report(Gpu& gpu, const CheckChoice& wanted);

}  // namespace heddle::cudart
